import type { Page, Route } from 'playwright-core'

/**
 * Let a page's reads of an address fail, until a person presses “Try again”.
 * A page also reads by itself when it hears of a change. Such reads wait here once the failing has ended,
 * so that the button stays until it is pressed.
 * @param fail What happens to each read until then.
 */
export async function failReads(page: Page, address: string, fail: (route: Route) => Promise<void>) {
  const pressed = Promise.withResolvers<void>()
  let fails = true
  await page.route(address, async (route) => {
    if (fails) return fail(route)
    await pressed.promise
    await route.continue()
  })
  return {
    async tryAgain() {
      fails = false
      const read = page.waitForRequest(address)
      await page.getByRole('button', { name: 'Try again' }).click()
      await read
      pressed.resolve()
    },
  }
}
