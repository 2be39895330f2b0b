import { expect, it } from 'vitest'
import { settingGroups, settingTexts } from '../../src/config/setting-texts.ts'
import { settingNames } from '../../src/config.ts'

it('describe every setting, in a group of the page', () => {
  const names = settingNames.filter((name) => !name.endsWith('_FILE'))
  expect(Object.keys(settingTexts).sort()).toEqual(names.sort())
  for (const [name, { group, text }] of Object.entries(settingTexts)) {
    expect(Object.keys(settingGroups), name).toContain(group)
    expect(text, name).toMatch(/^\S.{5,}[^.\s]$/)
  }
})
