import { Select, Textarea, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { IconPlus } from '@tabler/icons-react'
import { api } from '../../api.ts'
import { formatWord } from '../../format.ts'
import { FieldRow } from '../../parts/fields/field-row.tsx'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { t } from '../../texts/index.ts'
import type { ContactDetails } from '../../wire.ts'
import { payerTexts } from './customer-file.ts'

/** Create a contact. */
export function NewContact() {
  return (
    <FormDialog
      button={t('contacts.add')}
      title={t('contacts.add')}
      submit={t('contacts.submit')}
      look={{ leftSection: <IconPlus size={16} /> }}
      initial={{
        phone_number: '',
        first_name: '',
        last_name: '',
        email: '',
        type: 'other',
        number: '',
        tags: '',
        notes: '',
        payers: '',
      }}
      send={(values) => api.post<ContactDetails>('/contacts', values)}
      done={({ id }) => ({ message: t('contacts.added'), link: `/contacts/${id}` })}
      fields={(form) => (
        <>
          <TextInput
            label={t('fields.phone_number')}
            description={t('contacts.phone_number_about')}
            type="tel"
            data-autofocus
            {...form.getInputProps('phone_number')}
          />
          <PersonFields form={form} />
        </>
      )}
    />
  )
}

/** Change the details of a contact, except its phone number. */
export function EditContact({ contact }: { contact: ContactDetails }) {
  const { first_name, last_name, email, type, status, number, tags, notes } = contact
  return (
    <FormDialog
      button={t('contacts.edit')}
      title={t('contacts.edit_title')}
      submit={t('fields.save')}
      look={{ variant: 'default' }}
      initial={{
        first_name,
        last_name,
        email: email ?? '',
        type,
        status,
        number: number ?? '',
        notes,
        tags: tags.join(', '),
        payers: payerTexts(contact).join('\n'),
      }}
      send={(values) => api.patch(`/contacts/${contact.id}`, values)}
      done={t('contacts.edited')}
      fields={(form) => (
        <>
          <PersonFields form={form} />
          <Select
            label={t('fields.status')}
            data={choices('active', 'inactive')}
            allowDeselect={false}
            {...form.getInputProps('status')}
          />
        </>
      )}
    />
  )
}

function PersonFields({ form }: { form: Pick<UseFormReturnType<object>, 'getInputProps'> }) {
  return (
    <>
      <FieldRow long>
        <TextInput label={t('fields.first_name')} required {...form.getInputProps('first_name')} />
        <TextInput label={t('fields.last_name')} required {...form.getInputProps('last_name')} />
      </FieldRow>
      <TextInput label={t('fields.email')} type="email" {...form.getInputProps('email')} />
      <Select
        label={t('fields.type')}
        data={choices('employee', 'beneficiary', 'vendor', 'other')}
        allowDeselect={false}
        {...form.getInputProps('type')}
      />
      <FieldRow long>
        <TextInput
          label={t('contacts.number')}
          description={t('contacts.number_about')}
          {...form.getInputProps('number')}
        />
        <TextInput label={t('contacts.tags')} description={t('contacts.tags_about')} {...form.getInputProps('tags')} />
      </FieldRow>
      <Textarea
        label={t('contacts.payers')}
        description={t('contacts.payers_about')}
        autosize
        minRows={2}
        {...form.getInputProps('payers')}
      />
      <Textarea label={t('contacts.notes')} autosize minRows={2} {...form.getInputProps('notes')} />
    </>
  )
}

function choices(...codes: string[]) {
  return codes.map((value) => ({ value, label: formatWord(value) }))
}
