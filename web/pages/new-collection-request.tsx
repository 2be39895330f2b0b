import { Button, Group, Modal, Select, Stack, Switch, TextInput } from '@mantine/core'
import { type UseFormReturnType, useForm } from '@mantine/form'
import { useDisclosure } from '@mantine/hooks'
import { notifications } from '@mantine/notifications'
import { IconPlus } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../api.ts'
import { formatMoney } from '../format.ts'
import { AmountInput } from '../parts/fields/amount-input.tsx'
import { FieldRow } from '../parts/fields/field-row.tsx'
import { Problem } from '../parts/problem.tsx'
import { RepeatFields, type Repetition, settingsOf } from '../parts/repeat-fields.tsx'
import { useSubmit } from '../parts/use-submit.ts'
import { useSession } from '../session.tsx'
import { t } from '../texts/index.ts'
import type { CollectionRequest } from '../wire.ts'

/** The person whom a form asks for money. */
interface Payer {
  phonenumber: string
  first_name: string
  last_name: string
}

/** Create a collection request. @param payer the person to pay, if the page knows the payer */
export function NewCollectionRequest({ payer }: { payer?: Payer }) {
  const [opened, { open, close }] = useDisclosure()
  return (
    <>
      <Button leftSection={<IconPlus size={16} />} aria-haspopup="dialog" onClick={open}>
        {t('requests.new.button')}
      </Button>
      <Modal opened={opened} onClose={close} title={t('requests.new.button')}>
        <RequestForm close={close} payer={payer} />
      </Modal>
    </>
  )
}

/** @param made undefined if the form was sent before, and its answer was lost */
function describeMade(made: CollectionRequest | undefined): string {
  if (!made) return t('requests.new.done_already')
  const amount = formatMoney(made.amount, made.currency)
  return t('requests.new.done', { amount, phonenumber: made.phonenumber })
}

function RequestForm({ close, payer }: { close(): void; payer?: Payer }) {
  const { mode } = useSession()
  const client = useQueryClient()
  const sandbox = mode === 'sandbox'
  const [repetition, setRepetition] = useState<Repetition>({ frequency: '', until: '' })
  const form = useForm({
    initialValues: {
      phonenumber: sandbox ? '+80000000003' : '',
      amount: '',
      currency: sandbox ? 'BXC' : 'UGX',
      first_name: '',
      last_name: '',
      reason: '',
      send_instructions: true,
      ...payer,
    },
  })
  const { onSubmit, pending, error } = useSubmit(
    form,
    (values, key) => {
      const body = { ...withoutBlanks(values), subscription_settings: settingsOf(repetition) }
      return api.postOnce<CollectionRequest>('/collectionrequests', body, key)
    },
    (made) => {
      notifications.show({ color: 'green', message: describeMade(made) })
      client.invalidateQueries({ queryKey: ['/collectionrequests'] })
      client.invalidateQueries({ queryKey: ['contact-history'] })
      close()
    },
  )
  return (
    <form onSubmit={onSubmit} noValidate>
      <Stack>
        <TextInput
          label={t('fields.phone_number')}
          description={t(sandbox ? 'requests.new.sandbox_number' : 'fields.phone_number_about')}
          type="tel"
          required
          data-autofocus
          {...form.getInputProps('phonenumber')}
        />
        <FieldRow>
          <AmountInput
            label={t('fields.amount')}
            required
            currency={form.values.currency}
            {...form.getInputProps('amount')}
          />
          <Select
            label={t('fields.currency')}
            data={sandbox ? ['BXC', 'UGX', 'KES'] : ['UGX', 'KES']}
            allowDeselect={false}
            {...form.getInputProps('currency')}
          />
        </FieldRow>
        <PersonAndReasonFields form={form} />
        <RepeatFields value={repetition} onChange={setRepetition} />
        <Problem error={error} />
        <Group justify="flex-end">
          <Button variant="default" onClick={close}>
            {t('parts.cancel')}
          </Button>
          <Button type="submit" loading={pending} disabled={repetition.frequency !== '' && repetition.until === ''}>
            {t('requests.new.submit')}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

/** The optional fields. */
function PersonAndReasonFields({ form }: { form: Pick<UseFormReturnType<object>, 'getInputProps'> }) {
  return (
    <>
      <FieldRow>
        <TextInput label={t('fields.first_name')} {...form.getInputProps('first_name')} />
        <TextInput label={t('fields.last_name')} {...form.getInputProps('last_name')} />
      </FieldRow>
      <TextInput
        label={t('fields.reason')}
        description={t('requests.new.reason_about')}
        {...form.getInputProps('reason')}
      />
      <Switch
        label={t('requests.new.prompt')}
        description={t('requests.new.prompt_about')}
        {...form.getInputProps('send_instructions', { type: 'checkbox' })}
      />
    </>
  )
}

/** Remove empty fields, which are not set. */
function withoutBlanks(values: Record<string, string | boolean>): Record<string, string | boolean> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ''))
}
