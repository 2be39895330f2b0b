import { constants, privateDecrypt } from 'node:crypto'

/*
 * The key pair of the simulated network. It is the same everywhere, is documented, and opens nothing else. As with Safaricom, the
 * certificate has expired and only carries the key.
 */

/** The certificate with which the password of an initiator is encrypted. */
export const certificate = `-----BEGIN CERTIFICATE-----
MIIDazCCAlOgAwIBAgIUUH46yGGWRw+t0WidkO1Ipjm1BxwwDQYJKoZIhvcNAQEL
BQAwRTEiMCAGA1UEAwwZc2ltdWxhdGVkLW5ldHdvcmsuaW52YWxpZDEfMB0GA1UE
CgwWU2ltdWxhdGVkIG1vYmlsZSBtb25leTAeFw0yNjExMjIxMDA3MjNaFw0yNjEx
MjMxMDA3MjNaMEUxIjAgBgNVBAMMGXNpbXVsYXRlZC1uZXR3b3JrLmludmFsaWQx
HzAdBgNVBAoMFlNpbXVsYXRlZCBtb2JpbGUgbW9uZXkwggEiMA0GCSqGSIb3DQEB
AQUAA4IBDwAwggEKAoIBAQC14GqfROKU+6F7VNB8gz2cbnW7Hamh8rMKWfjP+YU4
8y9sLeMTPnV664zFBCSqOLn8PfzVZ6QImhL66klhQSDiO+n4/aEs+PvOMlQVjyB0
zQIGDal4RfpdBUNJXHEEMGou4YT1NMM7wDH/RF895KQitDnsFbR4jzVs7ITYOWng
dYAL4zk6qKnx25ba6QDa6M1lZ18dtwRuliGjKNuiOGEX26ODyJp0WILdUQh3GfLO
72sv5lceDFcm+z6iP6baD624XOw7uRKrNOVgptGBCfyY0rJuSp1otfJTAzYaAtMP
31VZyp0n7z2pCLPOYsMxNHq0mOnF/jU58Wk+VLl9IuJZAgMBAAGjUzBRMB0GA1Ud
DgQWBBQInKWPUJB+JjOk7Vl8ox/mEvn1KzAfBgNVHSMEGDAWgBQInKWPUJB+JjOk
7Vl8ox/mEvn1KzAPBgNVHRMBAf8EBTADAQH/MA0GCSqGSIb3DQEBCwUAA4IBAQAp
5EGjPraBh/7btGi0H5W9Ml/xuNVzgu5BiVhUhlJmKNlIQsHZ3xi8nvfqWUXIwY+6
bmZ6m2wToYZkMOWUzMaiB+4Wa5D+EPY5GSnjLCbYA4+Oj8XLFgfQ4bQh4Rhy+fu1
Akmqv6hbGDpJyfIX9yAH0jpXVZtU0+DGkS0F1wcntUbnJ+sLU4F9+oKkuVcvaQOA
9vjt9OTpl/wwhExJ2MMnvDeyjvJpX/7Wcd7JwjyMdU5ClI0wdiRjnpa3aB/HI80Y
GdcyRx2QKxhdMx4oGo4ZO/Yo/RGugXiEjsNQVM9kpnptyteqpTFdzugU9BGivo2d
Bm61OqVzae6i/8dh79cC
-----END CERTIFICATE-----
`

const private_key = `-----BEGIN PRIVATE KEY-----
MIIEvwIBADANBgkqhkiG9w0BAQEFAASCBKkwggSlAgEAAoIBAQC14GqfROKU+6F7
VNB8gz2cbnW7Hamh8rMKWfjP+YU48y9sLeMTPnV664zFBCSqOLn8PfzVZ6QImhL6
6klhQSDiO+n4/aEs+PvOMlQVjyB0zQIGDal4RfpdBUNJXHEEMGou4YT1NMM7wDH/
RF895KQitDnsFbR4jzVs7ITYOWngdYAL4zk6qKnx25ba6QDa6M1lZ18dtwRuliGj
KNuiOGEX26ODyJp0WILdUQh3GfLO72sv5lceDFcm+z6iP6baD624XOw7uRKrNOVg
ptGBCfyY0rJuSp1otfJTAzYaAtMP31VZyp0n7z2pCLPOYsMxNHq0mOnF/jU58Wk+
VLl9IuJZAgMBAAECggEAIjjZZyGTjtvwLSAu4JbjQ2mHbo9syUO9C6AVULDPMAGW
NUFHHmpcuaXTxYh7i6oD2OIjDlajh1jSZHMsHogeM2N5qXez2Z3553kR2EKnpUKj
9FaiwjZMny8r04R44YRonmyh02+7oqUN403Oq/s3JS6LTZBh9mNf9qBkeLkI4op3
41MNV7Jju3dPLyBIUsYiqvx3EuEgSjAvNfXSMZqlZuoWUwJ5fG+4Phkut5DmasYl
LB8PxDekhMgZCKWM8Ivo0Xj4GXBzTmkQZAEXTTxAeGEUXQWzWdvr0AfXmNfSnibP
XGZACp8G1JKb3YMyWkgL76bFfsL+qZ6vq8XuLX9W2QKBgQDshRUWRFVHKZt54/kK
Tdd4RhbtAf11JhmJu3fhgPpEDromsAaepHOBbxTfRbRSMXZji0yij7wPNN7L1d1J
ldb9AfZ9GpHSzGgV2li14tODAH/3tWhVA43brdqYQfyRE1hZUqRdUeLXAcBW4rZo
d6CtL5nBVEXKwzQo2EPlU04OTQKBgQDE2zSihBGxXHmQGZtjd2UxbwIuDOXuK3xY
quU8nWPK20htmQrvDphrN1ZPz72BESKLo468bbD/CeuVZmOuR55qk+wlkaO1xLJ9
xV0PGnrn0RG0W3FKI0JbQecTOf3nGbJEvCRMldji7iB8Ds7ZhB9zIy6x6kszLZBf
hL8mclBiPQKBgQCTgF9pNo5URe9vMawzL95rZJKRlkch0vPkQGR/3ra00NZooChQ
sVBTbRoAL/FHvQ8O/2V4j9kBRsCXMDXD2U1tFddJp9M/OjjDQBtIuz+bGCm2Koz5
T7EdSivj/mrrcrwLYI2eoR2tZqszxElrlwc+WkwyFEM+M0SJIG4fSzeHlQKBgQCU
rFlcRBJ4uTa2NiC9RncOlqA211bwQbdv3+Gxncy4cFSLMYKoeYVztB9jt6mPyLkm
bShn9xAuDff2pZWzEjP6mi1HUm8p4JxNkLlvprgcTDHq3QT60RZUhblXM/0mhKm2
b8GadbGP8fhmuWhPrxFxi6jAhgq1ZDwdZ8xV5RAAoQKBgQCQsdaW9norrU4gWTqY
JecmwTebep5yEg8RlnsKSrWgnJ4ydMDIyBP+V1Exq6BLVW74OeK2m5prp+tdSkBT
sexwTsbVK8IRWh8VKocTSdrSuVu9knSMvgsmKyysG8loYYCv4CCeh0E9lDF+mAFL
lAJByrCk3/k9SPkCQ1zE9Q5C1w==
-----END PRIVATE KEY-----
`

/** The text in a SecurityCredential; undefined when it was not encrypted with the certificate. */
export function decryptCredential(credential: string): string | undefined {
  try {
    const sealed = Buffer.from(credential, 'base64')
    // Some versions of Node refuse to take PKCS #1 v1.5 padding off: it starts with 0, 2, and ends with the first 0.
    const padded = privateDecrypt({ key: private_key, padding: constants.RSA_NO_PADDING }, sealed)
    const end = padded.indexOf(0, 2)
    return padded[0] === 0 && padded[1] === 2 && end >= 10 ? padded.subarray(end + 1).toString() : undefined
  } catch {
    return undefined
  }
}
