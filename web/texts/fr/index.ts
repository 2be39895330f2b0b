import type { Catalogue } from '../catalogue.ts'
import { shell } from './shell.ts'
import { words } from './words.ts'

const fr: Catalogue = { shell, words }

export default fr
