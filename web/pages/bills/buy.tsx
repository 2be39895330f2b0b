import { Alert, Button, Group, Paper, SimpleGrid, Stack, Text } from '@mantine/core'
import { type UseFormReturnType, useForm } from '@mantine/form'
import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { parseAmount } from '../../../src/lib/money.ts'
import { api, type List, newDuplicateKey } from '../../api.ts'
import { countryName, formatMoney } from '../../format.ts'
import { BackLink } from '../../parts/back-link.tsx'
import { Facts } from '../../parts/facts.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { Problem } from '../../parts/problem.tsx'
import { Total } from '../../parts/review/costs.tsx'
import { Rules } from '../../parts/review/rules.tsx'
import { useReviewedSend } from '../../parts/review/use-reviewed-send.ts'
import { useGoOn, useSubmit } from '../../parts/use-submit.ts'
import { t } from '../../texts/index.ts'
import type { PriceList, Purchase, PurchaseQuote, Service } from '../../wire.ts'
import { type BuyValues, initialValues, orderOf, PurchaseFields, ServiceFields } from './buy-fields.tsx'

/** A quote, and the key under which exactly this filled form is bought. */
interface Offer {
  quote: PurchaseQuote
  order: Record<string, unknown>
  key: string
}

/** The form that buys a bill: the service, the customer's account, a check with the price, and the purchase. */
export default function BuyBill() {
  const search: Record<string, string> = useSearch({ strict: false })
  const [offer, setOffer] = useState<Offer>()
  const form = useForm<BuyValues>({
    initialValues: initialValues(search),
    onValuesChange: () => setOffer(undefined),
  })
  const { kind, service: id } = form.values
  const { data: services, error } = useQuery({
    queryKey: ['/services', { category: kind, limit: 1_000 }],
    queryFn: () => api.get<List<Service>>('/services', { category: kind, limit: 1_000 }),
  })
  const chosen =
    services?.results.find((one) => String(one.id) === id) ??
    services?.results.find((one) => one.service_type === search.service_type && one.category === search.kind && !id)
  const { data: service } = useQuery({
    queryKey: ['/services', String(chosen?.id)],
    queryFn: () => api.get<PriceList>(`/services/${chosen!.id}`),
    enabled: chosen !== undefined,
  })
  return (
    <>
      <BackLink to="/bills">{t('shell.nav.bills')}</BackLink>
      <PageHead title={t('bills.buy.title')} about={t('bills.buy.about')} />
      <SimpleGrid cols={{ base: 1, lg: 2 }}>
        <Paper withBorder p="lg">
          <Stack>
            <ServiceFields form={form} services={services?.results ?? []} chosen={chosen} />
            <Problem error={error} />
            {service && chosen && service.id === chosen.id && (
              <Check form={form} service={service} offered={offer !== undefined} found={setOffer} />
            )}
          </Stack>
        </Paper>
        {offer && <Confirmation offer={offer} renewed={(quote) => setOffer({ ...offer, quote })} />}
      </SimpleGrid>
    </>
  )
}

/** The fields of a kind of purchase, and the button that checks them. */
function Check(props: {
  form: UseFormReturnType<BuyValues>
  service: PriceList
  offered: boolean
  found(offer: Offer): void
}) {
  const { form, service, offered, found } = props
  const { onSubmit, pending, error } = useSubmit(
    form as unknown as UseFormReturnType<Record<string, unknown>>,
    async (): Promise<Offer> => {
      const key = newDuplicateKey()
      const order = { ...orderOf(form.values, service), agentReference: `console-${key}` }
      return { quote: await api.post<PurchaseQuote>('/purchase-quotes', order), order, key }
    },
    (offer, unchanged) => unchanged && found(offer),
  )
  return (
    <form onSubmit={onSubmit} noValidate>
      <Stack>
        <PurchaseFields form={form} service={service} />
        <Problem error={error} />
        {!offered && (
          <Group justify="flex-end">
            <Button type="submit" loading={pending}>
              {t('bills.buy.check')}
            </Button>
          </Group>
        )}
      </Stack>
    </form>
  )
}

/** Everything that a person has to see before a purchase, and the button that buys. */
function Confirmation(props: { offer: Offer; renewed(quote: PurchaseQuote): void }) {
  const { quote, order, key } = props.offer
  const goOn = useGoOn()
  const { amount, currency, wallet } = quote
  const missing = wallet === null || (parseAmount(wallet.after) ?? 0n) < 0n
  const buy = useReviewedSend({
    send: async () => {
      const made = await api.postOnce<{ id: number }>('/purchases', order, key, { 'kusanya-review': quote.token })
      if (made) return made.id
      // A call before this one has bought it.
      const { results } = await api.get<List<Purchase>>('/purchases', { agent_reference: String(order.agentReference) })
      return results[0]!.id
    },
    done: (id) => goOn(`/bills/${id}`),
    renew: async () => props.renewed(await api.post<PurchaseQuote>('/purchase-quotes', order)),
  })
  return (
    <Stack>
      <QuoteFacts quote={quote} />
      <Rules review={quote} />
      {missing && <Alert color="orange">{t('bills.buy.missing')}</Alert>}
      <Problem {...buy.problem} />
      <Group justify="flex-end">
        <Button size="md" disabled={missing} loading={buy.pending} onClick={buy.send}>
          {t('bills.buy.submit', { amount: formatMoney(amount, currency) })}
        </Button>
      </Group>
      <Text fz="sm" c="dimmed">
        {t('bills.buy.once')}
      </Text>
    </Stack>
  )
}

/** The biller, the account, the costs, and the wallet before and after. */
function QuoteFacts({ quote }: { quote: PurchaseQuote }) {
  const { service, country, account_number, phone, holder, amount, fee, total, currency, wallet } = quote
  const given = (label: string, value: string | null | undefined) => (value ? [[label, value] as const] : [])
  return (
    <Facts
      title={t('bills.buy.confirm')}
      facts={[
        [t('bills.service'), t('bills.buy.service_in', { name: service, country: countryName(country) })],
        ...given(t('bills.catalogue.account_number'), account_number === phone ? '' : account_number),
        ...given(t('bills.buy.holder'), holder?.name),
        ...given(t('bills.buy.address'), holder?.address),
        ...given(t('fields.phone_number'), phone),
        [t('fields.amount'), formatMoney(amount, currency)],
        [t('fields.fee'), formatMoney(fee, currency)],
        [t('review.total'), <Total key="total" total={total} currency={currency} />],
        [t('fields.wallet'), wallet?.name ?? t('bills.buy.no_wallet', { currency })],
        ...(wallet
          ? [
              [t('review.before'), formatMoney(wallet.before, currency)] as const,
              [t('review.after'), formatMoney(wallet.after, currency)] as const,
            ]
          : []),
      ]}
    />
  )
}
