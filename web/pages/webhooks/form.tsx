import { MultiSelect, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { IconPlus } from '@tabler/icons-react'
import { api } from '../../api.ts'
import { codedEventChoices } from '../../event-types.ts'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { t } from '../../texts/index.ts'
import type { Endpoint } from '../../wire.ts'
import { TargetHelp } from './target-help.tsx'

const EXAMPLE = 'https://shop.example/notifications'

interface Values extends Record<string, unknown> {
  target: string
  events: string[]
  description: string
}

/** Create a webhook for one or more event types. */
export function NewWebhook() {
  return (
    <FormDialog<Values, Endpoint>
      button={t('webhooks.new.title')}
      title={t('webhooks.new.title')}
      submit={t('webhooks.new.submit')}
      initial={{ target: '', events: [], description: '' }}
      send={(values) => api.post('/webhooks/endpoints', values)}
      done={({ id }) => ({ message: t('webhooks.new.done'), link: `/webhooks/${id}` })}
      look={{ leftSection: <IconPlus size={16} /> }}
      fields={(form) => <Fields form={form} about={{ target: t('webhooks.new.address_about') }} />}
    />
  )
}

/** Change the target, the event types and the description of a webhook. */
export function EditWebhook({ webhook }: { webhook: Endpoint }) {
  const { target, description, webhooks } = webhook
  return (
    <FormDialog<Values>
      button={t('webhooks.edit')}
      title={t('webhooks.edit_title')}
      submit={t('webhooks.edit_submit')}
      initial={{ target, events: webhooks.map(({ event }) => event), description: description ?? '' }}
      send={(values) => api.post(`/webhooks/${webhook.id}/edit`, values)}
      done={t('webhooks.edited')}
      look={{ variant: 'default' }}
      fields={(form) => (
        <Fields
          form={form}
          about={{ target: t('webhooks.edit_target_about'), events: t('webhooks.edit_events_about') }}
        />
      )}
    />
  )
}

function Fields(props: { form: UseFormReturnType<Values>; about: { target: string; events?: string } }) {
  const { form, about } = props
  return (
    <>
      <TextInput
        label={t('webhooks.address')}
        description={about.target}
        type="url"
        placeholder={EXAMPLE}
        required
        data-autofocus
        {...form.getInputProps('target')}
      />
      <TargetHelp target={form.values.target} />
      <MultiSelect
        label={t('webhooks.events')}
        description={about.events}
        data={codedEventChoices}
        searchable
        hidePickedOptions
        required
        {...form.getInputProps('events')}
      />
      <TextInput
        label={t('webhooks.description')}
        description={t('webhooks.description_about')}
        {...form.getInputProps('description')}
      />
    </>
  )
}
