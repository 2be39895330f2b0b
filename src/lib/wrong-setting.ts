/** One setting is wrong; the message is the single line that the operator sees. It holds no secret. */
export class WrongSetting extends Error {}
