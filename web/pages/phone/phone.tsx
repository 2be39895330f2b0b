import { Alert, Anchor, Autocomplete, Button, Flex, Group, SimpleGrid, Stack, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { ApiError, api } from '../../api.ts'
import { advanceClock } from '../../clock.ts'
import { AmountInput } from '../../parts/fields/amount-input.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { Panel } from '../../parts/panel.tsx'
import { Problem } from '../../parts/problem.tsx'
import { RequestTimeline } from '../../parts/timeline/request-timeline.tsx'
import { useSubmit } from '../../parts/use-submit.ts'
import { useSession } from '../../session.tsx'
import { t } from '../../texts/index.ts'
import type { CollectionRequest, Phone } from '../../wire.ts'
import { customers, WAITING_PHONE } from './customers.ts'
import { Handset, Messages } from './handset.tsx'
import { Prompt } from './prompt.tsx'
import { SendMoney } from './send-money.tsx'
import './phone.css'

/** A short interval, so that prompts and SMS appear at once. */
const POLL_MS = 1_000

/** A simulated phone of a sandbox customer, beside the history of the request. */
export default function PhonePage() {
  const { mode, may } = useSession()
  const { number = WAITING_PHONE }: { number?: string } = useSearch({ strict: false })
  if (mode === 'live') return <Alert title={t('phone.sandbox_only.title')}>{t('phone.sandbox_only.text')}</Alert>
  return (
    <>
      <PageHead title={t('shell.nav.phone')} about={t('phone.about')} />
      <Flex gap="xl" direction={{ base: 'column', lg: 'row' }} align={{ base: 'stretch', lg: 'flex-start' }}>
        <Screen key={number} number={number} />
        <Stack flex={1} miw={0}>
          <NumberField key={number} number={number} />
          {may('initiate_collections') && <AskPanel number={number} />}
          {may('manage_organization') && <NoAnswerPanel number={number} />}
          <TimelinePanel number={number} />
        </Stack>
      </Flex>
    </>
  )
}

function usePhone(number: string) {
  return useQuery({
    queryKey: ['phone', number],
    queryFn: () => api.get<Phone>(`/simulator/phones/${encodeURIComponent(number)}`),
    refetchInterval: ({ state }) => (state.error ? false : POLL_MS),
  })
}

function Screen({ number }: { number: string }) {
  const { service_name, may } = useSession()
  const { data } = usePhone(number)
  const [sending, setSending] = useState(false)
  const mine = may('initiate_collections')
  const [prompt] = data?.prompts ?? []
  return (
    <Handset label={t('phone.label', { number })} now={data?.now}>
      <Messages from={service_name} texts={data?.texts ?? []} />
      {mine && (
        <div className="phone-dock">
          <button type="button" className="phone-button" onClick={() => setSending(true)}>
            {t('phone.send.title')}
          </button>
        </div>
      )}
      <div className="phone-bar" aria-hidden />
      {sending && <SendMoney phone={number} close={() => setSending(false)} />}
      {prompt && <Prompt key={prompt.reference} phone={number} prompt={prompt} />}
    </Handset>
  )
}

/** The number of the phone, which is kept in the address. */
function NumberField({ number }: { number: string }) {
  const navigate = useNavigate()
  const [text, setText] = useState(number)
  const { error } = usePhone(number)
  const go = (to: string) => {
    if (to.trim() && to !== number) navigate({ to: '.', search: { number: to.trim() } as never })
  }
  const described = customers.find((customer) => customer.number === number)
  return (
    <Autocomplete
      label={t('phone.number')}
      description={described?.does ?? t('phone.customers.pays')}
      error={error instanceof ApiError && error.status === 400 ? t('phone.number_fault') : undefined}
      type="tel"
      data={customers.map((customer) => customer.number)}
      filter={({ options }) => options}
      renderOption={({ option }) => (
        <div>
          <Text fz="sm" className="numeric">
            {option.value}
          </Text>
          <Text fz="xs" c="dimmed">
            {customers.find((customer) => customer.number === option.value)?.does}
          </Text>
        </div>
      )}
      value={text}
      onChange={setText}
      onOptionSubmit={go}
      onBlur={() => go(text)}
      onKeyDown={(event) => event.key === 'Enter' && go(text)}
    />
  )
}

/** Request money from this customer, with the main fields. */
function AskPanel({ number }: { number: string }) {
  const client = useQueryClient()
  const form = useForm({ initialValues: { amount: '1500', currency: 'BXC', reason: t('phone.request.example') } })
  const { onSubmit, pending, error } = useSubmit(
    form,
    (values, key) => {
      const body = { ...values, phonenumber: number, send_instructions: true }
      return api.postOnce<CollectionRequest>('/collectionrequests', body, key)
    },
    () => {
      // Without the focus here, the prompt gets it on appearing.
      if (document.activeElement instanceof HTMLElement) document.activeElement.blur()
      client.invalidateQueries({ queryKey: ['phone', number] })
    },
  )
  return (
    <Panel title={t('phone.request.title')}>
      <form onSubmit={onSubmit} noValidate>
        <Stack gap="sm">
          <SimpleGrid cols={{ base: 1, sm: 2 }} verticalSpacing="sm">
            <Group align="flex-start" wrap="nowrap" grow>
              <AmountInput
                label={t('phone.request.amount')}
                currency={form.values.currency}
                {...form.getInputProps('amount')}
              />
              <TextInput label={t('phone.request.currency')} {...form.getInputProps('currency')} />
            </Group>
            <TextInput label={t('phone.request.reason')} {...form.getInputProps('reason')} />
          </SimpleGrid>
          <Problem error={error} />
          <Group justify="space-between">
            <Text fz="sm" c="dimmed">
              {t('phone.request.pin')}
            </Text>
            <Button type="submit" loading={pending}>
              {t('phone.request.send')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Panel>
  )
}

/** Move the clock by five minutes, so that the prompt lapses without an answer. */
function NoAnswerPanel({ number }: { number: string }) {
  const { data } = usePhone(number)
  const client = useQueryClient()
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => advanceClock('5 minutes'),
    onSettled: () => client.invalidateQueries(),
  })
  if (!isPending && !error && data?.prompts.length !== 1) return null
  return (
    <Group justify="space-between">
      <Text fz="sm" c="dimmed">
        {t('phone.no_answer.text')}
      </Text>
      <Button variant="default" size="xs" loading={isPending} onClick={() => mutate()}>
        {t('phone.no_answer.advance')}
      </Button>
      <Problem error={error} />
    </Group>
  )
}

/** The history of the prompt's request, or of the newest request. */
function TimelinePanel({ number }: { number: string }) {
  const { data } = usePhone(number)
  const request = data?.prompts[0]?.collection_request ?? data?.latest_request
  if (!request) return null
  return (
    <Panel
      title={t('phone.timeline.title', { id: request })}
      actions={
        <Anchor component={Link} to={`/collectionrequests/${request}`} fz="sm">
          {t('phone.timeline.details')}
        </Anchor>
      }
    >
      <RequestTimeline request={request} />
    </Panel>
  )
}
