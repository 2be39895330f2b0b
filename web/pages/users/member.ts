import type { Permission } from '../../wire.ts'

/** User of the organization, as the list of users shows one. */
export interface Member {
  id: number
  name: string
  email: string
  permissions: Permission[]
  /** The role with exactly these permissions; null for none. */
  role: string | null
  last_sign_in: string | null
  second_factor_missing: boolean
  /** First time at which the person may approve payments; null: at once. */
  approves_from: string | null
  second_factor: boolean
}
