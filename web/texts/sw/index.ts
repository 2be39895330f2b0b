import type { Catalogue } from '../catalogue.ts'
import { shell } from './shell.ts'
import { words } from './words.ts'

const sw: Catalogue = { shell, words }

export default sw
