import { Select, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { api, type List } from '../../api.ts'
import { formatMoney, formatWord } from '../../format.ts'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { ListPage } from '../../parts/list-page.tsx'
import { Money } from '../../parts/money.tsx'
import { Status } from '../../parts/status.tsx'
import { Time } from '../../parts/time.tsx'
import { t } from '../../texts/index.ts'
import type { UnassignedPayment, Wallet } from '../../wire.ts'

/** Money that has arrived for a receiver or currency without a wallet. */
export default function Unassigned() {
  return (
    <ListPage<UnassignedPayment>
      title={t('collections.unassigned.title')}
      about={t('collections.unassigned.about')}
      path="/unassigned"
      empty={t('collections.unassigned.none')}
      filters={[
        { name: 'state', label: t('fields.state'), choices: ['unassigned', 'assigned', 'reversed'], noun: 'payment' },
      ]}
      columns={[
        { name: 'payer', title: t('fields.payer'), value: (row) => row.phonenumber },
        {
          name: 'amount',
          card: 'amount',
          title: t('fields.amount'),
          align: 'right',
          value: (row) => <Money amount={row.amount} currency={row.currency} />,
          file: (row) => row,
        },
        {
          name: 'to',
          title: t('fields.to'),
          value: (row) => t('collections.unassigned.receiver', { receiver: row.receiver, network: row.network }),
        },
        { name: 'reference', card: 'line', title: t('fields.reference'), value: (row) => row.reference ?? '—' },
        {
          name: 'state',
          title: t('fields.state'),
          status: true,
          value: (row) => <Status state={row.state} noun="payment" />,
          file: (row) => formatWord(row.state, 'payment'),
        },
        {
          name: 'paid',
          card: 'note',
          title: t('fields.paid'),
          value: (row) => <Time at={row.payment_date} />,
          file: (row) => ({ time: row.payment_date }),
        },
        {
          name: 'assign',
          card: 'line',
          title: t('users.actions'),
          file: false,
          value: (row) => row.state === 'unassigned' && <AssignDialog payment={row} />,
        },
      ]}
    />
  )
}

function AssignDialog({ payment }: { payment: UnassignedPayment }) {
  const money = formatMoney(payment.amount, payment.currency)
  return (
    <FormDialog
      button={t('collections.unassigned.assign')}
      title={t('collections.unassigned.assign_title', { amount: money })}
      submit={t('collections.unassigned.assign')}
      initial={{ account: '' }}
      send={({ account }) => api.post(`/unassigned/${payment.id}/assign`, { account: Number(account) || undefined })}
      done={t('collections.unassigned.done', { amount: money })}
      look={{ size: 'xs', variant: 'default' }}
      fields={(form) => (
        <>
          <Text fz="sm">
            {t(payment.reference ? 'collections.unassigned.text_reference' : 'collections.unassigned.text', {
              phonenumber: payment.phonenumber,
              reference: payment.reference ?? '',
            })}
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
      label={t('collections.unassigned.wallet_in', { currency })}
      data={choices ?? []}
      nothingFoundMessage={t('collections.unassigned.no_wallet', { currency })}
      placeholder={t('fields.choose')}
      {...input}
    />
  )
}
