import { access } from './access.ts'
import { account } from './account.ts'
import { audit } from './audit.ts'
import { changes } from './changes.ts'
import { home } from './home.ts'
import { invoices } from './invoices.ts'
import { parts } from './parts.ts'
import { phone } from './phone.ts'
import { settings } from './settings.ts'
import { shell } from './shell.ts'
import { users } from './users.ts'
import { words } from './words.ts'

/** The texts of the console. Each area of it has its own file; the other languages have the same files and keys. */
export const en = {
  access,
  account,
  audit,
  changes,
  home,
  invoices,
  parts,
  phone,
  settings,
  shell,
  users,
  words,
} as const
