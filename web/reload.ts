/** Reload the page if the service answers; otherwise the open page stays. @returns whether the service answers */
export async function reload(): Promise<boolean> {
  const answer = await fetch('/console/', { cache: 'no-store' }).catch(() => undefined)
  if (answer?.ok) window.location.reload()
  return answer?.ok ?? false
}
