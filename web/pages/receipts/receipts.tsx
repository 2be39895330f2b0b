import { Select, Switch } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { api } from '../../api.ts'
import { formatMoney, formatWord } from '../../format.ts'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { ListPage } from '../../parts/list-page.tsx'
import { Status } from '../../parts/status.tsx'
import { Time } from '../../parts/time.tsx'
import { useSession } from '../../session.tsx'
import { t } from '../../texts/index.ts'
import { languages } from '../../texts/languages.ts'
import type { Receipt, ReceiptSettings } from '../../wire.ts'

const path = '/receipts/settings'

/** The list of receipts. A row leads to its payment, where the receipt is shown and sent. */
export default function Receipts() {
  const { may } = useSession()
  return (
    <ListPage<Receipt>
      title={t('shell.nav.receipts')}
      about={t('receipts.about')}
      path="/receipts"
      rowLink={(row) => `/collections/${row.collection}`}
      actions={may('manage_organization') && <Settings />}
      empty={t('receipts.none')}
      filters={[
        { name: 'number', label: t('receipts.number'), placeholder: t('receipts.number_example') },
        { name: 'phonenumber', label: t('fields.phone_number'), placeholder: '+256…' },
        { name: 'remote_transaction_id', label: t('fields.network_id') },
        { name: 'collection_request', label: t('fields.request'), more: true },
        { name: 'amount', label: t('fields.amount'), more: true },
        { name: 'currency', label: t('fields.currency'), placeholder: t('fields.examples.currency'), more: true },
      ]}
      bulk={[]}
      columns={[
        {
          name: 'number',
          title: t('receipts.number'),
          value: (row) => <span className="numeric no-break">{row.number}</span>,
          file: (row) => row.number,
          ordering: 'id',
        },
        {
          name: 'amount',
          card: 'amount',
          title: t('fields.amount'),
          align: 'right',
          value: (row) => <span className="numeric">{formatMoney(row.amount, row.currency)}</span>,
          file: (row) => row,
        },
        {
          name: 'state',
          title: t('fields.state'),
          status: true,
          value: (row) => <Status state={row.state} />,
          file: (row) => formatWord(row.state),
        },
        {
          name: 'phone_number',
          card: 'note',
          title: t('fields.phone_number'),
          value: (row) => <span className="numeric">{row.phonenumber}</span>,
          file: (row) => row.phonenumber,
        },
        { name: 'for', title: t('receipts.for'), value: (row) => row.reason || '—' },
        {
          name: 'paid',
          card: 'note',
          title: t('fields.paid'),
          value: (row) => <Time at={row.payment_date} />,
          file: (row) => ({ time: row.payment_date }),
        },
        {
          name: 'created',
          title: t('fields.created'),
          ordering: 'created',
          value: (row) => <Time at={row.created} />,
          file: (row) => ({ time: row.created }),
        },
      ]}
    />
  )
}

/** Settings for automatic receipts. */
function Settings() {
  const { data } = useQuery({ queryKey: [path], queryFn: () => api.get<ReceiptSettings>(path) })
  if (!data) return null
  return (
    <FormDialog
      // The form begins with the present settings, even after a change.
      key={JSON.stringify(data)}
      button={t('receipts.settings.button')}
      title={t('receipts.settings.title')}
      submit={t('fields.save')}
      look={{ variant: 'default' }}
      initial={{ ...data }}
      send={(values) => api.put(path, values)}
      done={t('receipts.settings.done')}
      fields={(form) => {
        const { sms, email } = form.getValues()
        return (
          <>
            <Switch
              label={t('receipts.settings.every')}
              description={t('receipts.settings.every_about')}
              {...form.getInputProps('every_payment', { type: 'checkbox' })}
              checked={form.getValues().every_payment || sms || email}
              disabled={sms || email}
            />
            <Switch label={t('receipts.settings.sms')} {...form.getInputProps('sms', { type: 'checkbox' })} />
            <Switch label={t('receipts.settings.email')} {...form.getInputProps('email', { type: 'checkbox' })} />
            <Select
              label={t('receipts.settings.language')}
              description={t('receipts.settings.language_about')}
              data={Object.entries(languages).map(([value, label]) => ({ value, label }))}
              allowDeselect={false}
              {...form.getInputProps('language')}
            />
          </>
        )
      }}
    />
  )
}
