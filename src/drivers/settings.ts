import { z } from 'zod'
import type { AnyDriver } from './contract.ts'

/** Texts about a setting for the form of the console, the CLI and the documentation. */
interface SettingText {
  title: string
  /** Source of the value, and its purpose. */
  help: string
  /** Example that is not secret. */
  example?: string
}

interface SettingMeta extends SettingText {
  secret: boolean
}

const descriptions = z.registry<SettingMeta>()

/** Describe a setting of a connection. It is stored and shown as it is. */
export function setting<Schema extends z.ZodType>(schema: Schema, text: SettingText): Schema {
  descriptions.add(schema, { ...text, secret: false })
  return schema
}

/** Describe a setting that is encrypted at rest, never shown again, and never logged. */
export function secretSetting<Schema extends z.ZodType>(schema: Schema, text: SettingText): Schema {
  descriptions.add(schema, { ...text, secret: true })
  return schema
}

/** Field of a driver's settings. */
export interface SettingField extends SettingMeta {
  name: string
  required: boolean
  kind: 'text' | 'long-text' | 'number' | 'yes-no' | 'choice'
  /** The values of a choice. */
  choices?: string[]
  /** The value that counts where none is given. */
  default?: string
}

/**
 * The fields of a driver's settings in their order, for forms and commands.
 * @throws Error for a field that has no description, which is a mistake of the driver
 */
export function settingFields(driver: Pick<AnyDriver, 'code' | 'settings'>): SettingField[] {
  return Object.entries(driver.settings.shape).map(([name, schema]) => {
    const meta = descriptions.get(schema as z.ZodType)
    if (!meta) throw new Error(`The setting ${name} of the driver ${driver.code} needs setting() or secretSetting().`)
    const { inner, required, fallback } = unwrap(schema as z.ZodType)
    const value = fallback === undefined ? {} : { default: String(fallback) }
    return { name, ...meta, required, ...value, ...kindOf(inner) }
  })
}

/** The settings that are secret. */
export function secretNames(driver: Pick<AnyDriver, 'code' | 'settings'>): string[] {
  return settingFields(driver).flatMap(({ name, secret }) => (secret ? [name] : []))
}

/** A text with line breaks, such as a certificate. */
export const longText = () => z.string().min(1).meta({ long: true })

function kindOf(schema: z.ZodType): Pick<SettingField, 'kind' | 'choices'> {
  if (schema instanceof z.ZodEnum) return { kind: 'choice', choices: schema.options.map(String) }
  if (schema instanceof z.ZodNumber) return { kind: 'number' }
  if (schema instanceof z.ZodBoolean) return { kind: 'yes-no' }
  return { kind: schema.meta()?.long === true ? 'long-text' : 'text' }
}

/** The schema inside of `optional` and `default`. */
function unwrap(schema: z.ZodType): { inner: z.ZodType; required: boolean; fallback?: unknown } {
  if (schema instanceof z.ZodOptional) return { ...unwrap(schema.unwrap() as z.ZodType), required: false }
  if (schema instanceof z.ZodDefault)
    return { ...unwrap(schema.unwrap() as z.ZodType), required: false, fallback: schema.def.defaultValue }
  return { inner: schema, required: true }
}
