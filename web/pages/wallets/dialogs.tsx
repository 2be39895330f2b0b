import { Select, Text, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { api, type List } from '../../api.ts'
import { AmountInput } from '../../parts/fields/amount-input.tsx'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { maintenanceQuery } from '../../service-state.ts'
import { useSession } from '../../session.tsx'
import { t } from '../../texts/index.ts'
import type { Currency, Wallet } from '../../wire.ts'

const look = { variant: 'default' } as const

/** Return true if the user operates the service: a manager of the only organization. */
export function useIsOperator(): boolean {
  const { may } = useSession()
  const { data } = useQuery({ ...maintenanceQuery, enabled: may('manage_organization') })
  return data?.yours === true
}

/** Open a wallet in a currency. */
export function OpenWallet() {
  return (
    <FormDialog
      button={t('wallets.open.button')}
      title={t('wallets.open.button')}
      submit={t('wallets.open.submit')}
      look={look}
      initial={{ currency: '', name: '' }}
      send={(values) => api.post('/wallets', values)}
      done={t('wallets.open.done')}
      fields={(form) => (
        <>
          <CurrencySelect {...form.getInputProps('currency')} />
          <TextInput
            label={t('fields.name')}
            description={t('wallets.open.name_about')}
            maxLength={100}
            {...form.getInputProps('name')}
          />
        </>
      )}
    />
  )
}

function CurrencySelect(props: object) {
  const { data } = useQuery({
    queryKey: ['/currencies', 'all'],
    queryFn: () => api.get<List<Currency>>('/currencies', { limit: 1_000 }),
  })
  return (
    <Select
      label={t('fields.currency')}
      data={data?.results.map(({ code, name }) => ({ value: code, label: `${code} – ${name}` })) ?? []}
      searchable
      // The list would hide the rest of the dialog as soon as it opens.
      openOnFocus={false}
      required
      allowDeselect={false}
      data-autofocus
      {...props}
    />
  )
}

/** Add money to a wallet, such as its opening balance. */
export function FundWallet({ wallet: { id, name, currency } }: { wallet: Wallet }) {
  return (
    <FormDialog
      button={t('wallets.fund.button')}
      title={t('wallets.fund.title', { name })}
      submit={t('wallets.fund.button')}
      look={look}
      initial={{ amount: '', description: t('wallets.fund.opening') }}
      send={(values, key) => api.postOnce(`/wallets/${id}/funds`, values, key)}
      done={t('wallets.fund.done', { name })}
      fields={(form) => (
        <>
          <Text fz="sm">{t('wallets.fund.about')}</Text>
          <AmountInput
            label={t('fields.amount')}
            currency={currency}
            required
            data-autofocus
            {...form.getInputProps('amount')}
          />
          <TextInput
            label={t('fields.reason')}
            description={t('wallets.fund.reason_about')}
            required
            maxLength={200}
            {...form.getInputProps('description')}
          />
        </>
      )}
    />
  )
}

/** Give a wallet another name. */
export function RenameWallet({ wallet: { id, name } }: { wallet: Wallet }) {
  return (
    <FormDialog
      button={t('wallets.rename.button')}
      title={t('wallets.rename.title', { name })}
      submit={t('fields.save')}
      look={look}
      initial={{ name }}
      send={(values) => api.put(`/wallets/${id}/name`, values)}
      done={t('wallets.rename.done')}
      fields={(form) => (
        <TextInput label={t('fields.name')} required maxLength={100} data-autofocus {...form.getInputProps('name')} />
      )}
    />
  )
}
