/** The oldest Node that runs the program. */
const OLDEST_NODE = 24

/**
 * Return the reason why this version of Node cannot run the program; null if it can. It imports nothing, so that an old
 * Node can run it.
 */
export function nodeFault(version: string): string | null {
  if (Number.parseInt(version, 10) >= OLDEST_NODE) return null
  return (
    `Kusanya needs Node ${OLDEST_NODE} or later, and this is Node ${version}. npm brings Node ${OLDEST_NODE} along: ` +
    'start the program with `npx kusanya`, or install a newer Node.'
  )
}
