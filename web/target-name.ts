/** Return the name of a webhook's URL for people: its host and path. The query may contain a secret. */
export function nameTarget(target: string): string {
  const { host, pathname } = new URL(target)
  return `${host}${pathname}`.replace(/\/$/, '')
}
