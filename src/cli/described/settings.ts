import { settingGroups, settingTexts } from '../../config/setting-texts.ts'
import { type Config, defaultOf, fileSettingName, secretSettingNames } from '../../config.ts'
import type { DescribedTable } from './table.ts'

/** Describe every setting, a table for each group. */
export function describeSettings(): DescribedTable[] {
  const names = Object.keys(settingTexts) as (keyof Config)[]
  return Object.entries(settingGroups).map(([group, heading]) => ({
    heading,
    columns: ['Setting', 'Default', 'Meaning'],
    rows: names
      .filter((name) => settingTexts[name].group === group)
      .map((name) => [nameCell(name), defaultCell(name), settingTexts[name].text]),
  }))
}

function nameCell(name: string): string {
  return secretSettingNames.includes(name) ? `\`${name}\`, \`${fileSettingName(name)}\`` : `\`${name}\``
}

function defaultCell(name: keyof Config): string {
  const text = settingTexts[name].default
  if (text !== undefined) return text
  const value = defaultOf(name)
  if (value === undefined || value === '') return ''
  if (typeof value === 'boolean') return name.startsWith('OTEL_') ? `\`${value}\`` : value ? '`on`' : '`off`'
  return `\`${typeof value === 'object' && !Array.isArray(value) ? JSON.stringify(value) : String(value)}\``
}
