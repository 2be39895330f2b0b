import { Anchor, Button, SimpleGrid, Stack, Text, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { renderSVG } from 'uqr'
import { parseAmount } from '../../../src/lib/money.ts'
import { api } from '../../api.ts'
import { formatDate, formatMoney, formatPair } from '../../format.ts'
import { BackLink } from '../../parts/back-link.tsx'
import { Confirm } from '../../parts/confirm.tsx'
import { Facts } from '../../parts/facts.tsx'
import { AmountInput } from '../../parts/fields/amount-input.tsx'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { Loading } from '../../parts/loading.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { Panel } from '../../parts/panel.tsx'
import { Problem, replacesContent } from '../../parts/problem.tsx'
import { Share } from '../../parts/share/share.tsx'
import { Time } from '../../parts/time.tsx'
import { useGoOn } from '../../parts/use-submit.ts'
import { useSession } from '../../session.tsx'
import { t } from '../../texts/index.ts'
import type { Invoice } from '../../wire.ts'
import { InvoiceMoney, WaitingMoney } from '../matching/invoice-money.tsx'
import { InvoiceStatus } from './invoices.tsx'
import { InvoiceSheet } from './sheet.tsx'
import { InvoiceTimeline } from './timeline.tsx'

/** Invoice with its lines, its money, and its history. */
export default function InvoicePage() {
  const { id } = useParams({ strict: false })
  const { may } = useSession()
  const { data, error, refetch } = useQuery({
    queryKey: ['/invoices', id],
    queryFn: () => api.get<Invoice>(`/invoices/${id}`),
  })
  if (replacesContent(error, data)) return <Problem error={error} retry={refetch} />
  if (!data) return <Loading />
  const collects = may('initiate_collections')
  const page = data.url && data.number && <PagePanel invoice={data} url={data.url} number={data.number} />
  return (
    <>
      <BackLink to="/invoices">{t('invoices.title')}</BackLink>
      <PageHead
        audited={['invoice', data.id]}
        title={data.number ? t('invoices.invoice.numbered', { number: data.number }) : t('invoices.invoice.draft')}
        about={<InvoiceStatus invoice={data} />}
        actions={
          collects &&
          (data.state === 'draft' ? (
            <DraftActions invoice={data} changed={refetch} />
          ) : (
            <Actions invoice={data} changed={refetch} />
          ))
        }
      />
      <SimpleGrid cols={{ base: 1, lg: 2 }}>
        <Stack>
          {data.state === 'issued' && page}
          <WaitingMoney invoice={data} />
          <InvoiceFacts invoice={data} />
          <InvoiceMoney invoice={data} />
          <Panel title={t('invoices.lines.title')}>
            <InvoiceSheet content={data} />
          </Panel>
        </Stack>
        <Stack>
          {data.state !== 'issued' && page}
          <InvoiceTimeline invoice={data} />
        </Stack>
      </SimpleGrid>
    </>
  )
}

function InvoiceFacts({ invoice }: { invoice: Invoice }) {
  const { currency, contact, customer_name, phonenumber, reminder_days, reminder_prompts, next_reminder } = invoice
  const money = (amount: string) => <span className="numeric">{formatMoney(amount, currency)}</span>
  return (
    <Facts
      facts={[
        [
          t('invoices.fields.customer'),
          <Anchor key="contact" component={Link} to={`/contacts/${contact}`} fz="sm">
            {[customer_name, phonenumber].filter(Boolean).join(', ')}
          </Anchor>,
        ],
        ...(invoice.customer_number ? [[t('invoices.fields.customer_number'), invoice.customer_number] as const] : []),
        ...(invoice.tags.length > 0 ? [[t('invoices.fields.tags'), invoice.tags.join(', ')] as const] : []),
        [t('invoices.fields.total'), money(invoice.total)],
        [t('invoices.fields.paid'), money(invoice.amount_paid)],
        ...(invoice.amount_reversed === '0.0000'
          ? []
          : [[t('invoices.fields.reversed'), money(invoice.amount_reversed)] as const]),
        ...(invoice.amount_refunded === '0.0000'
          ? []
          : [[t('invoices.fields.refunded'), money(invoice.amount_refunded)] as const]),
        [t('invoices.fields.open'), money(invoice.amount_open)],
        ...(invoice.min_part ? [[t('invoices.fields.min_part'), money(invoice.min_part)] as const] : []),
        [t('invoices.fields.due'), formatDate(invoice.due_date)],
        [t('invoices.fields.reminders'), describeReminders(reminder_days, reminder_prompts)],
        ...(next_reminder
          ? [
              [
                t('invoices.fields.next_reminder'),
                invoice.waiting_money.length > 0 ? (
                  t('matching.waiting.reminder')
                ) : (
                  <Time key="next" at={next_reminder} />
                ),
              ] as const,
            ]
          : []),
        ...(invoice.void_reason ? [[t('invoices.fields.void_reason'), invoice.void_reason] as const] : []),
      ]}
    />
  )
}

function describeReminders(reminder_days: readonly number[], with_prompt: boolean): string {
  if (reminder_days.length === 0) return t('invoices.reminders.none')
  const days = reminder_days.map(describeDay).join(', ')
  return with_prompt ? t('invoices.reminders.with_prompt', { days }) : days
}

/** @param day days after the due date, negative before it */
function describeDay(day: number): string {
  if (day === 0) return t('invoices.reminders.on_day')
  return day < 0 ? t('invoices.reminders.before', { count: -day }) : t('invoices.reminders.after', { count: day })
}

/** The customer's page: its address, its QR code, and messages with it. */
function PagePanel({ invoice, url, number }: { invoice: Invoice; url: string; number: string }) {
  const { amount_open, currency, phonenumber, pdf_url } = invoice
  const text = formatPair(t('invoices.invoice.numbered', { number }), formatMoney(amount_open, currency))
  const code = `data:image/svg+xml;utf8,${encodeURIComponent(renderSVG(url, { ecc: 'M', border: 4 }))}`
  const link = { url, label: t('invoices.invoice.link'), code, text, file: `invoice-${number}`, phonenumber }
  return (
    <Panel title={t('invoices.invoice.customer_page')}>
      <Share {...link}>
        <Anchor href={pdf_url ?? url} target="_blank" rel="noreferrer" inherit>
          {t('invoices.pdf')}
        </Anchor>
      </Share>
    </Panel>
  )
}

function DraftActions({ invoice, changed }: { invoice: Invoice; changed(): void }) {
  const goOn = useGoOn()
  const path = `/invoices/${invoice.id}`
  return (
    <>
      <Button component={Link} to={`/invoices/${invoice.id}/edit`} variant="default">
        {t('invoices.invoice.edit')}
      </Button>
      <Confirm
        button={t('invoices.delete.button')}
        title={t('invoices.delete.title')}
        size="sm"
        danger
        act={() => api.delete(path)}
        done={() => goOn('/invoices')}
      >
        {t('invoices.delete.about')}
      </Confirm>
      <Confirm
        button={t('invoices.issue.button')}
        title={t('invoices.issue.title')}
        size="sm"
        act={() => api.post(`${path}/issue`, {})}
        done={changed}
      >
        {t('invoices.issue.about', { total: formatMoney(invoice.total, invoice.currency) })}
      </Confirm>
    </>
  )
}

function Actions({ invoice, changed }: { invoice: Invoice; changed(): void }) {
  const path = `/invoices/${invoice.id}`
  return (
    <>
      {invoice.state === 'issued' && <Collect invoice={invoice} />}
      {invoice.state !== 'void' && (
        <>
          {invoice.phonenumber.startsWith('+') && (
            <Confirm
              button={t('invoices.sms.button')}
              size="sm"
              title={t('invoices.sms.title')}
              act={(key) => api.postOnce(`${path}/send`, { channel: 'sms' }, key)}
              done={changed}
            >
              {t('invoices.sms.about', { phonenumber: invoice.phonenumber })}
            </Confirm>
          )}
          <SendByMail path={path} />
          {!keepsMoney(invoice) && (
            <FormDialog
              button={t('invoices.void.button')}
              title={t('invoices.void.title')}
              submit={t('invoices.void.button')}
              danger
              look={{ variant: 'default' }}
              initial={{ reason: '' }}
              send={({ reason }) => api.post(`${path}/void`, { reason })}
              done={t('invoices.void.done')}
              fields={(form) => (
                <>
                  <Text fz="sm">{t('invoices.void.about')}</Text>
                  <TextInput label={t('invoices.void.reason')} data-autofocus {...form.getInputProps('reason')} />
                </>
              )}
            />
          )}
        </>
      )}
    </>
  )
}

/** Return true if unrefunded money has arrived: such an invoice cannot be voided. */
function keepsMoney({ amount_paid, amount_refunded }: Invoice): boolean {
  return (parseAmount(amount_paid) ?? 0n) > (parseAmount(amount_refunded) ?? 0n)
}

function Collect({ invoice }: { invoice: Invoice }) {
  return (
    <FormDialog
      button={t('invoices.collect.button')}
      title={t('invoices.collect.title')}
      submit={t('invoices.collect.submit')}
      initial={{ amount: '', phonenumber: invoice.phonenumber }}
      send={({ amount, phonenumber }, key) =>
        api.postOnce(`/invoices/${invoice.id}/collect`, { phonenumber, amount: amount || undefined }, key)
      }
      done={t('invoices.collect.done')}
      fields={(form) => (
        <>
          <AmountInput
            label={t('invoices.collect.amount')}
            description={t('invoices.collect.amount_about', {
              amount: formatMoney(invoice.amount_open, invoice.currency),
            })}
            data-autofocus
            currency={invoice.currency}
            {...form.getInputProps('amount')}
          />
          <TextInput label={t('invoices.fields.phonenumber')} type="tel" {...form.getInputProps('phonenumber')} />
        </>
      )}
    />
  )
}

function SendByMail({ path }: { path: string }) {
  return (
    <FormDialog
      button={t('invoices.email.button')}
      title={t('invoices.email.title')}
      submit={t('invoices.email.submit')}
      look={{ variant: 'default' }}
      initial={{ email: '' }}
      send={({ email }, key) => api.postOnce(`${path}/send`, { channel: 'email', ...(email.trim() && { email }) }, key)}
      done={t('invoices.email.done')}
      fields={(form) => (
        <TextInput
          label={t('invoices.email.address')}
          description={t('invoices.email.address_about')}
          type="email"
          data-autofocus
          {...form.getInputProps('email')}
        />
      )}
    />
  )
}
