import { allChecks, checkNames } from '../commands/doctor/checks.ts'
import { checkTexts } from '../commands/doctor/texts.ts'
import type { DescribedTable } from './table.ts'

/** Describe the checks of `doctor`. */
export function describeDoctor(): DescribedTable[] {
  const rows = checkNames.map((name) => {
    const made = allChecks.filter((check) => check.name === name)
    return [`\`${name}\``, checkTexts[name], `${shownTime(made[0]!.limit_s)}${made.length > 1 ? ' for each' : ''}`]
  })
  return [{ columns: ['Check', 'Looks at', 'Limit'], rows }]
}

function shownTime(seconds: number): string {
  return seconds < 3_600 ? `${seconds} s` : `${seconds / 3_600} h`
}
