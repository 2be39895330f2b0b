import { eventually } from '../../test-app.ts'
import { requestAt, settle } from './pay.ts'
import { motherOf } from './pupils.ts'
import { check, invoiceOf, open, type School } from './school.ts'

/** Move the clock to a time, and wait until so many reminders were made and their prompts are answered. */
export async function remind(school: School, at: Date, reminders: number): Promise<void> {
  const { app, clock, db } = school.browserTest.testApp
  clock.advance(Math.max(0, (at.getTime() - clock.now().getTime()) / 1_000))
  await eventually('the reminders', async () => {
    app.wake()
    const [made] = await db<{ count: number }[]>`select count(*) from invoice_reminders`
    return made!.count === reminders || undefined
  })
  await settle(school)
}

/** While money of a customer waits, its invoice says why nothing asks for money, and a request is refused. */
export async function seeWhyNothingIsAsked(school: School, pupil: string): Promise<void> {
  const { bursar } = school
  const { id } = await invoiceOf(school, pupil)
  await open(school, `/invoices/${id}`)
  await bursar.getByText('Reminders and payment prompts are on hold until you match or return it.').waitFor()
  await bursar.getByText('On hold: an unmatched payment may be for this invoice').waitFor()
  await check(school, 'waits')
  await requestAt(school, pupil, motherOf(pupil), 100_000)
  await bursar
    .getByRole('dialog')
    .getByText(/has arrived and is not matched yet/)
    .waitFor()
  await check(school, 'waits-refused')
}
