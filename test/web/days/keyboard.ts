import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'
import type { Hands } from './hands.ts'

/** More than the longest page has between its first control and its last. */
const MAX_STEPS = 150
/** Steps within a dialog, more than it has controls, so that the focus comes round. */
const DIALOG_STEPS = 15

/** Focused control, and what a person sees of it. */
interface Focus {
  what: string
  in_dialog: boolean
  is_lost: boolean
  /** True if the control is in the window and looks different from one without the focus. */
  is_visible: boolean
}

/** A field shows the focus with its border, other controls with an outline. The label stands for a hidden radio button. */
const READ_FOCUS = `(() => {
  const one = document.activeElement
  const is_hidden = one.matches('input[type=radio]') && one.offsetWidth < 2
  const shown = is_hidden ? one.labels[0] : one
  const { width, height, top, left, bottom, right } = shown.getBoundingClientRect()
  const seen = width > 0 && height > 0 && bottom > 0 && right > 0 && top < innerHeight && left < innerWidth
  const { outlineStyle, outlineWidth } = getComputedStyle(shown)
  const marked = shown.matches('input, textarea, select') || (outlineStyle !== 'none' && parseFloat(outlineWidth) > 0)
  return {
    what: one.outerHTML.slice(0, 160),
    in_dialog: one.closest('[role=dialog]') !== null,
    is_lost: one === document.body,
    is_visible: seen && one.matches(':focus-visible') && marked,
  }
})()`

const hasFocus = async (control: Locator) => (await control.and(control.page().locator(':focus')).count()) > 0

const readFocus = (page: Page) => page.evaluate(READ_FOCUS) as Promise<Focus>

/** Pages on which the keyboard was used. On a page that has just been loaded nothing has the focus. */
const used = new WeakSet<Page>()

/** Move on with Tab until a control has the focus. */
async function reach(control: Locator): Promise<void> {
  const page = control.page()
  await control.waitFor()
  const isLost = async () => (await readFocus(page)).is_lost
  if (used.has(page)) await expect.poll(isLost, { message: 'the focus is lost' }).toBe(false)
  used.add(page)
  for (let step = 0; step < MAX_STEPS; step += 1) {
    if (await hasFocus(control)) return
    await page.keyboard.press('Tab')
    const focus = await readFocus(page)
    if (!focus.is_lost) expect(focus).toMatchObject({ what: focus.what, is_visible: true })
  }
  throw new Error(`The keyboard does not reach ${control}.`)
}

/** Press a button, and wait until its dialog has the focus. */
async function openFrom(button: Locator): Promise<Locator> {
  const page = button.page()
  await reach(button)
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog')
  await dialog.waitFor()
  const isInDialog = async () => (await readFocus(page)).in_dialog
  await expect.poll(isInDialog, { message: 'the dialog takes the focus' }).toBe(true)
  return dialog
}

/** Use a page with the keyboard alone. Each step checks that the focus is visible, and each dialog that it keeps it. */
export function keyboard(page: Page): Hands {
  const { keyboard: keys } = page
  return {
    page,
    async press(control) {
      await reach(control)
      await keys.press('Enter')
    },
    async openDialog(button) {
      const dialog = await openFrom(button)
      for (let step = 0; step < DIALOG_STEPS; step += 1) {
        await keys.press('Tab')
        // A dialog that has just opened may take the focus once more, and nothing has it for a moment.
        await expect
          .poll(() => readFocus(page), { message: 'the dialog keeps the focus' })
          .toMatchObject({ in_dialog: true, is_visible: true })
      }
      await keys.press('Escape')
      await dialog.waitFor({ state: 'detached' })
      await expect.poll(() => hasFocus(button)).toBe(true)
      return openFrom(button)
    },
    async type(field, text) {
      await reach(field)
      await keys.press('Control+a')
      await keys.type(text)
    },
    async choose(option) {
      await option.waitFor()
      await expect
        .poll(async () => {
          if ((await option.getAttribute('aria-selected')) === 'true') return true
          await keys.press('ArrowDown')
          return false
        })
        .toBe(true)
      await keys.press('Enter')
    },
    async openSearch() {
      await keys.press('Control+k')
      used.add(page)
    },
  }
}
