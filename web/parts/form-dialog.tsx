import { Button, type ButtonProps, Group, Modal, Stack } from '@mantine/core'
import { type UseFormReturnType, useForm } from '@mantine/form'
import { useDisclosure } from '@mantine/hooks'
import { useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { t } from '../texts/index.ts'
import { type Done, notifyDone } from './notify.tsx'
import { Problem } from './problem.tsx'
import { useSubmit } from './use-submit.ts'

export interface FormDialogProps<Values, Answer = unknown> {
  /** The labels of the button that opens the dialog, and of the dialog. */
  button: string
  title: string
  /** The label of the button that sends the form. */
  submit: string
  initial: Values
  /** `key`: another one for each time that the dialog opens, for `api.postOnce`. */
  send: (values: Values, key: string) => Promise<Answer>
  /** The notification after success, or a function that makes it of the answer. */
  done: Done | ((answer: Answer) => Done)
  /** The page's own work after success, such as opening what was made. */
  then?: (answer: Answer, values: Values) => void
  fields: (form: UseFormReturnType<Values>) => ReactNode
  look?: ButtonProps & { 'aria-label'?: string }
  danger?: boolean
}

/** Button with a form in a dialog. After it is sent, all data on the page is read again. */
export function FormDialog<Values extends Record<string, unknown>, Answer = unknown>(
  props: FormDialogProps<Values, Answer>,
) {
  const [opened, { open, close }] = useDisclosure()
  return (
    <>
      <Button {...props.look} aria-haspopup="dialog" onClick={open}>
        {props.button}
      </Button>
      <Modal opened={opened} onClose={close} title={props.title} size="lg">
        <DialogForm {...props} close={close} />
      </Modal>
    </>
  )
}

function DialogForm<Values extends Record<string, unknown>, Answer = unknown>(
  props: FormDialogProps<Values, Answer> & { close(): void },
) {
  const { initial, send, done, then, fields, submit, danger, close } = props
  const client = useQueryClient()
  const form = useForm<Values>({ initialValues: initial })
  const { onSubmit, pending, error } = useSubmit(form, send, (answer) => {
    notifyDone(typeof done === 'function' ? done(answer) : done)
    client.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'session' })
    close()
    then?.(answer, form.values)
  })
  return (
    <form onSubmit={onSubmit} noValidate>
      <Stack>
        {fields(form)}
        <Problem error={error} />
        <FormButtons submit={submit} pending={pending} danger={danger} close={close} />
      </Stack>
    </form>
  )
}

interface FormButtonsProps {
  submit: string
  pending: boolean
  close(): void
  danger?: boolean
  disabled?: boolean
}

/** The end of the form of each dialog: the way back, and the button that sends it. */
export function FormButtons({ submit, pending, close, danger, disabled }: FormButtonsProps) {
  return (
    <Group justify="flex-end">
      <Button variant="default" onClick={close}>
        {t('parts.cancel')}
      </Button>
      <Button type="submit" color={danger ? 'red.9' : undefined} loading={pending} disabled={disabled}>
        {submit}
      </Button>
    </Group>
  )
}
