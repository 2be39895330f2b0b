/** Statuses of SMPP 3.4 (specification, section 5.1.3), with their meanings in words. */
export const STATUSES = {
  ESME_ROK: [0x00, 'no error'],
  ESME_RINVMSGLEN: [0x01, 'the length of the message is invalid'],
  ESME_RINVCMDLEN: [0x02, 'the length of the command is invalid'],
  ESME_RINVCMDID: [0x03, 'the command is unknown'],
  ESME_RINVBNDSTS: [0x04, 'the session is not bound for this command'],
  ESME_RALYBND: [0x05, 'the account is bound already'],
  ESME_RINVPRTFLG: [0x06, 'the priority is invalid'],
  ESME_RINVREGDLVFLG: [0x07, 'the wish for a delivery report is invalid'],
  ESME_RSYSERR: [0x08, 'system error'],
  ESME_RINVSRCADR: [0x0a, 'the sender is invalid'],
  ESME_RINVDSTADR: [0x0b, 'the number is invalid'],
  ESME_RINVMSGID: [0x0c, 'the message id is invalid'],
  ESME_RBINDFAIL: [0x0d, 'the bind failed'],
  ESME_RINVPASWD: [0x0e, 'the password is invalid'],
  ESME_RINVSYSID: [0x0f, 'the system id is invalid'],
  ESME_RCANCELFAIL: [0x11, 'the cancellation failed'],
  ESME_RREPLACEFAIL: [0x13, 'the replacement failed'],
  ESME_RMSGQFUL: [0x14, 'the message queue is full'],
  ESME_RINVSERTYP: [0x15, 'the service type is invalid'],
  ESME_RINVNUMDESTS: [0x33, 'the number of destinations is invalid'],
  ESME_RINVDLNAME: [0x34, 'the name of the distribution list is invalid'],
  ESME_RINVDESTFLAG: [0x40, 'the kind of destination is invalid'],
  ESME_RINVSUBREP: [0x42, 'a replacement is not possible here'],
  ESME_RINVESMCLASS: [0x43, 'the class of the message is invalid'],
  ESME_RCNTSUBDL: [0x44, 'sending to the distribution list failed'],
  ESME_RSUBMITFAIL: [0x45, 'the message was not accepted'],
  ESME_RINVSRCTON: [0x48, 'the type of the sender is invalid'],
  ESME_RINVSRCNPI: [0x49, 'the numbering plan of the sender is invalid'],
  ESME_RINVDSTTON: [0x50, 'the type of the number is invalid'],
  ESME_RINVDSTNPI: [0x51, 'the numbering plan of the number is invalid'],
  ESME_RINVSYSTYP: [0x53, 'the system type is invalid'],
  ESME_RINVREPFLAG: [0x54, 'the flag for replacements is invalid'],
  ESME_RINVNUMMSGS: [0x55, 'the number of messages is invalid'],
  ESME_RTHROTTLED: [0x58, 'more messages than the account allows'],
  ESME_RINVSCHED: [0x61, 'the scheduled time is invalid'],
  ESME_RINVEXPIRY: [0x62, 'the validity period is invalid'],
  ESME_RINVDFTMSGID: [0x63, 'the predefined message is invalid'],
  ESME_RX_T_APPN: [0x64, 'temporary error of the application'],
  ESME_RX_P_APPN: [0x65, 'permanent error of the application'],
  ESME_RX_R_APPN: [0x66, 'the application rejects the message'],
  ESME_RQUERYFAIL: [0x67, 'the query failed'],
  ESME_RINVOPTPARSTREAM: [0xc0, 'the optional parameters cannot be read'],
  ESME_ROPTPARNOTALLWD: [0xc1, 'an optional parameter is not allowed'],
  ESME_RINVPARLEN: [0xc2, 'the length of a parameter is invalid'],
  ESME_RMISSINGOPTPARAM: [0xc3, 'an optional parameter is missing'],
  ESME_RINVOPTPARAMVAL: [0xc4, 'an optional parameter is invalid'],
  ESME_RDELIVERYFAILURE: [0xfe, 'the delivery failed'],
  ESME_RUNKNOWNERR: [0xff, 'unknown error'],
} as const satisfies Record<string, readonly [number, string]>

export type StatusName = keyof typeof STATUSES

const BY_CODE: ReadonlyMap<number, StatusName> = new Map(
  Object.entries(STATUSES).map(([name, [code]]) => [code, name as StatusName]),
)

/** The name of a status; undefined for one of the provider's own. */
export const statusName = (code: number): StatusName | undefined => BY_CODE.get(code)

export const statusCode = (name: StatusName): number => STATUSES[name][0]

/** A status for people and logs: `ESME_RINVPASWD (0x0000000E): the password is invalid`. */
export function describeStatus(code: number): string {
  const name = statusName(code)
  const number = `0x${code.toString(16).toUpperCase().padStart(8, '0')}`
  return name ? `${name} (${number}): ${STATUSES[name][1]}` : `the status ${number}, which is the provider's own`
}
