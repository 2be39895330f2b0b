import type { Tx } from '../../../db/client.ts'
import type { Permission } from '../../access/api-keys.ts'
import type { AuditAction } from '../../access/audit.ts'
import type { Invitation } from '../../access/invitations.ts'

/** Time and author of a change. */
export interface ControlContext {
  now: Date
  /** Invitations expire in real time. */
  real: Date
  approver_wait_ms: number
  /** The public address of the service. */
  base_url: string
  /** The user who asked; null: an operator. */
  author: number | null
  /** The name of this operator. */
  operator?: string | undefined
}

/** The link of an invitation, shown only once. */
export interface InvitationLink {
  invitation: Invitation
  token: string
}

/** Change that has been checked and compared with the present state. */
export interface PreparedChange {
  /** Description for people who decide. */
  description: string
  /** State now. A change is applied only if this is still the same. */
  before: unknown
  /** True if it changes who may move money and how much, so that those concerned get a mail. */
  is_control: boolean
  /** True if it weakens control, so that it needs a second manager. */
  weakens: boolean
  /** The permission to make it; `manage_organization` unless given. A manager confirms it in any case. */
  permission?: Permission
  /** Permissions that it gives. Nobody gives a permission that they lack. */
  grants?: readonly Permission[]
  /** The mail address of the person whom it concerns. */
  concerns?: string
  /** Reason why only an operator may make it. */
  operator_only?: string
  /** True if the operator confirms it, not a second manager, when several organizations share the installation. */
  operator_confirms_shared?: boolean
  /** Users whose permissions it changes, besides a user whom it names. They cannot author it. */
  own_permissions_of?: readonly number[]
  /** Action for the audit log. */
  action: AuditAction
  apply(tx: Tx, context: ControlContext): Promise<unknown>
  /** Makes the link of an invitation, after `apply`. */
  invite?(tx: Tx, context: ControlContext): Promise<InvitationLink>
}

/** Checks a change of one kind and describes it. @throws NotFound, Forbidden, Invalid */
export type Prepare<Request> = (tx: Tx, organization: number, request: Request) => Promise<PreparedChange>
