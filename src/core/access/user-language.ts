import { z } from 'zod'
import type { Tx } from '../../db/client.ts'
import { choiceError } from '../fields.ts'

/** The languages in which the console can be read (web/texts), by their codes of ISO 639. */
export const UserLanguage = z.enum(['en', 'sw', 'fr'], { error: choiceError(['en', 'sw', 'fr']) })
export type UserLanguage = z.output<typeof UserLanguage>

/** Stores the language in which a user reads the console, in every browser. */
export async function setLanguage(tx: Tx, user: number, language: UserLanguage): Promise<void> {
  await tx`update users set language = ${language} where id = ${user}`
}
