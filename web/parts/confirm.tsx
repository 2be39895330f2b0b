import { Button, Group, Modal, Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useRef } from 'react'
import { newDuplicateKey } from '../api.ts'
import { t } from '../texts/index.ts'
import { Problem } from './problem.tsx'

/** Button that asks for confirmation, because its action cannot be undone. */
export function Confirm(props: {
  button: string
  title: string
  children: ReactNode
  /** `key`: the same one until the action has succeeded, for `api.postOnce`. */
  act: (key: string) => Promise<unknown>
  done?: () => void
  danger?: boolean
  size?: string
}) {
  const [opened, { open, close }] = useDisclosure()
  // A paler red has too little contrast with white text.
  const color = props.danger ? 'red.9' : undefined
  const key = useRef('')
  const mutation = useMutation({
    mutationFn: () => {
      key.current ||= newDuplicateKey()
      return props.act(key.current)
    },
    onSuccess: () => {
      key.current = ''
      close()
      props.done?.()
    },
  })
  const ask = () => {
    mutation.reset()
    open()
  }
  return (
    <>
      <Button variant="default" size={props.size ?? 'xs'} aria-haspopup="dialog" onClick={ask}>
        {props.button}
      </Button>
      <Modal opened={opened} onClose={close} title={props.title}>
        <Stack>
          <Text fz="sm" component="div">
            {props.children}
          </Text>
          <Problem error={mutation.error} />
          <Group justify="flex-end">
            <Button variant="default" onClick={close}>
              {t('parts.go_back')}
            </Button>
            <Button color={color} loading={mutation.isPending} onClick={() => mutation.mutate()}>
              {props.button}
            </Button>
          </Group>
        </Stack>
      </Modal>
    </>
  )
}
