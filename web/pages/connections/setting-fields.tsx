import { PasswordInput, Select, Textarea, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { formatWord } from '../../format.ts'
import { t } from '../../texts/index.ts'
import type { ConsoleConnectionDetail, SettingField } from '../../wire.ts'

/** The values of a form for the settings of a connection, by the names of the settings. */
export type SettingValues = Record<string, string>

/** Return the first values of a form. Secrets are empty: nothing shows them again. */
export function initialValues(
  fields: readonly SettingField[],
  settings: ConsoleConnectionDetail['settings'] = {},
): SettingValues {
  return Object.fromEntries(
    fields.map(({ name, default: fallback, secret }) => [name, secret ? '' : toText(settings[name] ?? fallback)]),
  )
}

function toText(value: string | number | boolean | undefined): string {
  if (value === undefined) return ''
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  return String(value)
}

/** Return the values to send. An empty secret is not sent, so that the stored one stays. */
export function sentValues(fields: readonly SettingField[], values: SettingValues): SettingValues {
  const sent = fields.filter(({ name, secret }) => !secret || values[name])
  return Object.fromEntries(sent.map(({ name }) => [name, values[name] ?? '']))
}

interface SettingFieldsProps {
  fields: readonly SettingField[]
  // The form may have other values besides the settings.
  // biome-ignore lint/suspicious/noExplicitAny: the type of a form cannot be widened
  form: UseFormReturnType<any>
  /** Of each secret, whether it is stored already. */
  secrets?: ConsoleConnectionDetail['secrets']
}

/** The fields of a form for the settings of a driver. */
export function SettingFields({ fields, form, secrets = {} }: SettingFieldsProps) {
  return fields.map((field) => (
    <SettingInput
      key={field.name}
      field={field}
      is_set={secrets[field.name] === 'set'}
      input={form.getInputProps(field.name)}
    />
  ))
}

function SettingInput({ field, is_set, input }: { field: SettingField; is_set: boolean; input: object }) {
  const { title, help, example, required, kind, secret, choices = [] } = field
  const common = {
    label: title,
    description: is_set ? t('connections.settings.keep', { help }) : help,
    placeholder: example && t('connections.settings.example', { example }),
    required: required && !is_set,
    ...input,
  }
  if (kind === 'choice') return <Select data={choices} allowDeselect={!required && !field.default} {...common} />
  if (kind === 'yes-no') return <Select data={YES_NO} allowDeselect={!required && !field.default} {...common} />
  if (kind === 'long-text')
    return (
      <Textarea
        autosize
        minRows={3}
        maxRows={8}
        autoComplete="off"
        spellCheck={false}
        classNames={{ input: secret ? 'masked-text' : 'code-text' }}
        {...common}
      />
    )
  if (secret)
    return (
      <PasswordInput
        autoComplete="new-password"
        visibilityToggleButtonProps={{ 'aria-label': t('connections.settings.show_typed', { setting: title }) }}
        {...common}
      />
    )
  return <TextInput autoComplete="off" inputMode={kind === 'number' ? 'decimal' : 'text'} {...common} />
}

const YES_NO = [
  { value: 'yes', label: formatWord('yes') },
  { value: 'no', label: formatWord('no') },
]
