import { Select, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { api, type List } from '../../api.ts'
import { formatMoney } from '../../format.ts'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { ListPage } from '../../parts/list-page.tsx'
import { Money } from '../../parts/money.tsx'
import { Status } from '../../parts/status.tsx'
import { Time } from '../../parts/time.tsx'
import type { UnassignedPayment, Wallet } from '../../wire.ts'

/** Money that has arrived for a receiver or currency without a wallet. */
export default function Unassigned() {
  return (
    <ListPage<UnassignedPayment>
      title="Unassigned money"
      about="Money for a receiver or in a currency that belongs to no wallet. It is in no wallet until you assign it."
      path="/unassigned"
      empty="There is none."
      csv={false}
      poll_ms={5_000}
      filters={[{ name: 'state', label: 'State', choices: ['unassigned', 'assigned', 'reversed'] }]}
      columns={[
        { title: 'From', value: (row) => row.phonenumber },
        { title: 'Amount', align: 'right', value: (row) => <Money amount={row.amount} currency={row.currency} /> },
        { title: 'To', value: (row) => `${row.receiver} on ${row.network}` },
        { title: 'Reference', value: (row) => row.reference ?? '—' },
        { title: 'State', value: (row) => <Status of={row.state} /> },
        { title: 'Paid', value: (row) => <Time at={row.payment_date} /> },
        { title: 'Assign it', value: (row) => row.state === 'unassigned' && <AssignDialog payment={row} /> },
      ]}
    />
  )
}

function AssignDialog({ payment }: { payment: UnassignedPayment }) {
  const money = formatMoney(payment.amount, payment.currency)
  return (
    <FormDialog
      button="Assign"
      title={`Which wallet is ${money} for?`}
      submit="Assign"
      initial={{ account: '' }}
      send={({ account }) => api.post(`/unassigned/${payment.id}/assign`, { account: Number(account) || undefined })}
      done={`${money} is in the wallet.`}
      look={{ size: 'xs', variant: 'default' }}
      fields={(form) => (
        <>
          <Text fz="sm">
            It came from {payment.phonenumber}
            {payment.reference && `, with the reference ${payment.reference}`}. It is then matched to a request that it
            fits, as any other money.
          </Text>
          <WalletField currency={payment.currency} input={form.getInputProps('account')} />
        </>
      )}
    />
  )
}

function WalletField({ currency, input }: { currency: string; input: object }) {
  const wallets = useQuery({
    queryKey: ['/accounts', currency],
    queryFn: () => api.get<List<Wallet>>('/accounts', { currency, limit: 100 }),
  })
  const choices = wallets.data?.results.map(({ id, name }) => ({ value: String(id), label: `${name} (${id})` }))
  return (
    <Select
      label={`Wallet in ${currency}`}
      data={choices ?? []}
      nothingFoundMessage={`There is no wallet in ${currency}.`}
      placeholder="Choose one"
      {...input}
    />
  )
}
