/** The characters of an address (RFC 5321, section 4.5.3.1.3). */
const MAX_EMAIL_LENGTH = 254

/** True if a text has the form of an e-mail address. It does not prove that the address exists. */
export function isEmail(text: string): boolean {
  if (text.length > MAX_EMAIL_LENGTH || /[\s\p{Cc}\p{Cf}]/u.test(text)) return false
  const [local, domain, ...more] = text.split('@')
  return Boolean(local && domain && more.length === 0 && domain.slice(1, -1).includes('.'))
}
