/** Loads the page anew, if the service is there; else the page that is open is better than none. @returns whether it is. */
export async function reload(): Promise<boolean> {
  const answer = await fetch('/console/', { cache: 'no-store' }).catch(() => undefined)
  if (answer?.ok) window.location.reload()
  return answer?.ok ?? false
}
