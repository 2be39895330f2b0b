import type { Catalogue } from '../catalogue.ts'
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

const fr: Catalogue = { access, account, audit, changes, home, invoices, parts, phone, settings, shell, users, words }

export default fr
