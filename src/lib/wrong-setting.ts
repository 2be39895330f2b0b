/** Error of a setting. The message is the single line that the operator sees. It contains no secret. */
export class WrongSetting extends Error {}
