import { Anchor, Button, SimpleGrid, Stack, Text, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { api } from '../../api.ts'
import { formatMoney } from '../../format.ts'
import { BackLink } from '../../parts/back-link.tsx'
import { Confirm } from '../../parts/confirm.tsx'
import { CopyField } from '../../parts/copy-field.tsx'
import { Facts } from '../../parts/facts.tsx'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { Loading } from '../../parts/loading.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { Panel } from '../../parts/panel.tsx'
import { Problem, replacesContent } from '../../parts/problem.tsx'
import { Time } from '../../parts/time.tsx'
import { useSession } from '../../session.tsx'
import type { Invoice } from '../../wire.ts'
import { InvoiceStatus } from './invoices.tsx'
import { InvoiceSheet } from './sheet.tsx'
import { InvoiceTimeline } from './timeline.tsx'

/** One invoice with its lines, its money, and what happened. */
export default function InvoicePage() {
  const { id } = useParams({ strict: false })
  const { may } = useSession()
  const { data, error, refetch } = useQuery({
    queryKey: ['/invoices', id],
    queryFn: () => api.get<Invoice>(`/invoices/${id}`),
    refetchInterval: 5_000,
  })
  if (replacesContent(error, data)) return <Problem error={error} retry={refetch} />
  if (!data) return <Loading />
  const collects = may('initiate_collections')
  return (
    <>
      <BackLink to="/invoices">Invoices</BackLink>
      <PageHead
        title={data.number ? `Invoice ${data.number}` : 'Draft of an invoice'}
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
          <InvoiceFacts invoice={data} />
          <Panel title="Lines">
            <InvoiceSheet content={data} />
          </Panel>
        </Stack>
        <Stack>
          {data.url && <PagePanel url={data.url} pdf_url={data.pdf_url ?? data.url} />}
          <InvoiceTimeline invoice={data} />
        </Stack>
      </SimpleGrid>
    </>
  )
}

function InvoiceFacts({ invoice }: { invoice: Invoice }) {
  const { currency, contact, customer_name, phonenumber, reminder_days, reminder_prompts, next_reminder } = invoice
  const money = (amount: string) => <span className="numeric">{formatMoney(amount, currency)}</span>
  const days = reminder_days.map((days) =>
    days === 0 ? 'on the day' : `${Math.abs(days)} days ${days < 0 ? 'before' : 'after'}`,
  )
  return (
    <Facts
      facts={[
        [
          'Customer',
          <Anchor key="contact" component={Link} to={`/contacts/${contact}`} fz="sm">
            {[customer_name, phonenumber].filter(Boolean).join(', ')}
          </Anchor>,
        ],
        ['Total', money(invoice.total)],
        ['Paid', money(invoice.amount_paid)],
        ...(invoice.amount_reversed === '0.0000'
          ? []
          : [['Taken back by networks', money(invoice.amount_reversed)] as const]),
        ...(invoice.amount_refunded === '0.0000' ? [] : [['Refunded', money(invoice.amount_refunded)] as const]),
        ['Still open', money(invoice.amount_open)],
        ['Due', invoice.due_date],
        ['Reminders', days.length === 0 ? 'none' : `${days.join(', ')}${reminder_prompts ? ', with a prompt' : ''}`],
        ...(next_reminder ? [['Next reminder', <Time key="next" at={next_reminder} />] as const] : []),
        ...(invoice.void_reason ? [['Why void', invoice.void_reason] as const] : []),
      ]}
    />
  )
}

function PagePanel({ url, pdf_url }: { url: string; pdf_url: string }) {
  return (
    <Panel title="Page of the customer">
      <Stack gap="sm">
        <CopyField label="Address" value={url} />
        <Button component="a" variant="default" href={url} target="_blank" rel="noreferrer">
          View
        </Button>
        <Button component="a" variant="default" href={pdf_url} target="_blank" rel="noreferrer">
          PDF
        </Button>
      </Stack>
    </Panel>
  )
}

function DraftActions({ invoice, changed }: { invoice: Invoice; changed(): void }) {
  const navigate = useNavigate()
  const path = `/invoices/${invoice.id}`
  return (
    <>
      <Button component={Link} to={`/invoices/${invoice.id}/edit`} variant="default">
        Change
      </Button>
      <Confirm
        button="Delete"
        title="Delete this draft?"
        size="sm"
        danger
        act={() => api.delete(path)}
        done={() => navigate({ to: '/invoices' })}
      >
        It has no number yet, so none is missing.
      </Confirm>
      <Confirm
        button="Issue"
        title="Issue this invoice?"
        size="sm"
        act={() => api.post(`${path}/issue`, {})}
        done={changed}
      >
        It gets its number, and cannot be changed any more. Its page shows{' '}
        {formatMoney(invoice.total, invoice.currency)}.
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
              button="Send by SMS"
              size="sm"
              title="Send the invoice by SMS?"
              act={() => api.post(`${path}/send`, { channel: 'sms' })}
              done={changed}
            >
              {invoice.phonenumber} gets an SMS with the address of the invoice.
            </Confirm>
          )}
          <SendByMail path={path} />
          <FormDialog
            button="Void"
            title="Void this invoice"
            submit="Void"
            danger
            look={{ variant: 'default' }}
            initial={{ reason: '' }}
            send={({ reason }) => api.post(`${path}/void`, { reason })}
            done="The invoice is void. It keeps its number."
            fields={(form) => (
              <>
                <Text fz="sm">Nothing asks for its money any more. This cannot be undone.</Text>
                <TextInput label="Why" data-autofocus {...form.getInputProps('reason')} />
              </>
            )}
          />
        </>
      )}
    </>
  )
}

function Collect({ invoice }: { invoice: Invoice }) {
  return (
    <FormDialog
      button="Request the money"
      title="Request the money now"
      submit="Request"
      initial={{ amount: '', phonenumber: invoice.phonenumber }}
      send={({ amount, phonenumber }, key) =>
        api.postOnce(`/invoices/${invoice.id}/collect`, { phonenumber, amount: amount || undefined }, key)
      }
      done="The customer is asked."
      fields={(form) => (
        <>
          <TextInput
            label="Amount"
            description={`Empty: all that is open, ${formatMoney(invoice.amount_open, invoice.currency)}`}
            inputMode="decimal"
            data-autofocus
            {...form.getInputProps('amount')}
          />
          <TextInput label="Phone number" type="tel" {...form.getInputProps('phonenumber')} />
        </>
      )}
    />
  )
}

function SendByMail({ path }: { path: string }) {
  return (
    <FormDialog
      button="Send by e-mail"
      title="Send the invoice by e-mail"
      submit="Send"
      look={{ variant: 'default' }}
      initial={{ email: '' }}
      send={({ email }) => api.post(`${path}/send`, { channel: 'email', ...(email.trim() && { email }) })}
      done="The mail is on its way."
      fields={(form) => (
        <TextInput
          label="E-mail address"
          description="Empty: the address of the contact"
          type="email"
          data-autofocus
          {...form.getInputProps('email')}
        />
      )}
    />
  )
}
