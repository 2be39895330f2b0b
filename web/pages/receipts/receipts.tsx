import { Select, Switch } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { api } from '../../api.ts'
import { formatMoney } from '../../format.ts'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { ListPage } from '../../parts/list-page.tsx'
import { Status } from '../../parts/status.tsx'
import { Time } from '../../parts/time.tsx'
import { useSession } from '../../session.tsx'
import type { Receipt, ReceiptSettings } from '../../wire.ts'

const path = '/receipts/settings'

/** The list of receipts. A row leads to its payment, where the receipt is shown and sent. */
export default function Receipts() {
  const { may } = useSession()
  return (
    <ListPage<Receipt>
      title="Receipts"
      about="Receipts of payments, with numbers without gaps."
      path="/receipts"
      rowLink={(row) => `/collections/${row.collection}`}
      actions={may('manage_organization') && <Settings />}
      empty="There is no receipt yet. Make one on the page of a payment, or have one made for every payment."
      filters={[
        { name: 'number', label: 'Number', placeholder: 'R-000012' },
        { name: 'phonenumber', label: 'Phone number', placeholder: '+256…' },
        { name: 'remote_transaction_id', label: "Network's id" },
        { name: 'collection_request', label: 'Request', more: true },
        { name: 'amount', label: 'Amount', more: true },
        { name: 'currency', label: 'Currency', placeholder: 'UGX', more: true },
      ]}
      columns={[
        { title: 'Number', value: (row) => <span className="numeric">{row.number}</span>, ordering: 'id' },
        {
          title: 'Amount',
          align: 'right',
          value: (row) => <span className="numeric">{formatMoney(row.amount, row.currency)}</span>,
        },
        { title: 'State', value: (row) => <Status of={row.state} /> },
        { title: 'Phone number', value: (row) => <span className="numeric">{row.phonenumber}</span> },
        { title: 'For', value: (row) => row.reason || '—' },
        { title: 'Paid', value: (row) => <Time at={row.payment_date} /> },
        { title: 'Made', ordering: 'created', value: (row) => <Time at={row.created} /> },
      ]}
    />
  )
}

/** Which receipts are made and sent by themselves. */
function Settings() {
  const { data } = useQuery({ queryKey: [path], queryFn: () => api.get<ReceiptSettings>(path) })
  if (!data) return null
  return (
    <FormDialog
      // The form begins with what is set, also after it was changed.
      key={JSON.stringify(data)}
      button="Settings"
      title="Receipts that are made and sent automatically"
      submit="Save"
      look={{ variant: 'default' }}
      initial={{ ...data }}
      send={(values) => api.put(path, values)}
      done="The settings are saved."
      fields={(form) => {
        const { sms, email } = form.getValues()
        return (
          <>
            <Switch
              label="Make a receipt for every payment"
              description="Otherwise a receipt is made when you or the customer asks for it"
              {...form.getInputProps('every_payment', { type: 'checkbox' })}
              checked={form.getValues().every_payment || sms || email}
              disabled={sms || email}
            />
            <Switch
              label="Send it to the phone that paid, by SMS"
              {...form.getInputProps('sms', { type: 'checkbox' })}
            />
            <Switch
              label="Send it by e-mail, if the contact has an address"
              {...form.getInputProps('email', { type: 'checkbox' })}
            />
            <Select
              label="Language of SMS and e-mails"
              description="The page of a receipt follows the customer’s browser"
              data={[
                { value: 'en', label: 'English' },
                { value: 'sw', label: 'Kiswahili' },
                { value: 'fr', label: 'Français' },
              ]}
              allowDeselect={false}
              {...form.getInputProps('language')}
            />
          </>
        )
      }}
    />
  )
}
