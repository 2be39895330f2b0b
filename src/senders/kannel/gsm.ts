/** The letters of GSM 03.38 and of its extension table. */
const GSM = /^[@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&'()*+,\-./0-9:;<=>?¡A-ZÄÖÑÜ§¿a-zäöñüà^{}\\[~\]|€\f]*$/

/** Return true if the GSM alphabet has every letter of a text. */
export function isGsm(text: string): boolean {
  return GSM.test(text)
}
