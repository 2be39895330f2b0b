import { shell } from './shell.ts'
import { words } from './words.ts'

/** The texts of the console. Each area of it has its own file; the other languages have the same files and keys. */
export const en = { shell, words } as const
