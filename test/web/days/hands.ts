import type { Locator, Page } from 'playwright-core'
import { type BrowserTest, signIn } from '../browser.ts'
import type { WINDOWS } from '../pictures/variants.ts'

/** Actions of a person on a page, with a pointer or with the keyboard alone. */
export interface Hands {
  page: Page
  /** Press a button, a link or a menu item. */
  press(control: Locator): Promise<void>
  /** Press a button that opens a dialog. @returns the dialog */
  openDialog(button: Locator): Promise<Locator>
  /** Replace the text of a field. */
  type(field: Locator, text: string): Promise<void>
  /** Choose a result of the search. */
  choose(option: Locator): Promise<void>
  /** Open the search. */
  openSearch(): Promise<void>
}

/** Open the console for a person in a window of this size. */
export async function openConsole(
  { openPage, url }: BrowserTest,
  email: string,
  size: (typeof WINDOWS)[keyof typeof WINDOWS],
): Promise<Page> {
  const page = await openPage()
  await page.setViewportSize(size)
  await signIn(page, url, email)
  return page
}

/** Use a page with a pointer. */
export function pointer(page: Page): Hands {
  return {
    page,
    press: (control) => control.click(),
    async openDialog(button) {
      await button.click()
      const dialog = page.getByRole('dialog')
      await dialog.waitFor()
      return dialog
    },
    type: (field, text) => field.fill(text),
    choose: (option) => option.click(),
    openSearch: () =>
      page
        .getByRole('banner')
        .getByRole('button', { name: /^Search/ })
        .click(),
  }
}

/** Open a page through the navigation, which a button unfolds on a phone. */
export async function visit(hands: Hands, name: string): Promise<void> {
  const { page } = hands
  const burger = page.getByRole('button', { name: 'Navigation', exact: true })
  if (await burger.isVisible()) await hands.press(burger)
  await hands.press(page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name, exact: true }))
  await page.getByRole('heading', { level: 1, name, exact: true }).waitFor()
}

/** Search, and open the result with these words. */
export async function find(hands: Hands, text: string, kind: string, words: string | RegExp): Promise<void> {
  const { page } = hands
  await hands.openSearch()
  const field = page.getByRole('combobox', { name: 'Search' })
  await hands.type(field, text)
  await hands.choose(page.getByRole('group', { name: kind }).getByRole('option').filter({ hasText: words }).first())
  await field.waitFor({ state: 'detached' })
}
