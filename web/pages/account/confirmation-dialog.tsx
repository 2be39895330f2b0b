import { Modal } from '@mantine/core'
import { useEffect, useState } from 'react'
import { ApiError, confirmCallsWith } from '../../api.ts'
import { t } from '../../texts/index.ts'
import { ConfirmForm } from './confirm-form.tsx'

/** Call that waits for the confirmation of a person. */
interface WaitingCall {
  send(confirmation: object): Promise<unknown>
  resolve(answer: unknown): void
  reject(error: unknown): void
}

/**
 * Ask for the password, a code or a passkey when the service wants it for a call, whichever form has sent it. A wrong
 * password is said here, everything else by that form. A person who closes the dialog has changed nothing.
 */
export function ConfirmationDialog() {
  const [call, setCall] = useState<WaitingCall>()
  useEffect(() => {
    confirmCallsWith((send) => new Promise((resolve, reject) => setCall({ send, resolve, reject })))
    return () => confirmCallsWith(undefined)
  }, [])
  const close = () => {
    call?.reject(new ApiError(400, t('account.confirm.closed')))
    setCall(undefined)
  }
  const send = async (confirmation: object) => {
    try {
      return await call!.send(confirmation)
    } catch (error) {
      if (!isAboutConfirmation(error)) {
        call!.reject(error)
        setCall(undefined)
      }
      throw error
    }
  }
  const done = (answer: unknown) => {
    call?.resolve(answer)
    setCall(undefined)
  }
  return (
    <Modal opened={call !== undefined} onClose={close} title={t('account.confirm.title')} zIndex={300}>
      {call && <ConfirmForm close={close} send={send} done={done} />}
    </Modal>
  )
}

/** Return true if the confirmation was wrong, or was tried too often. */
function isAboutConfirmation(error: unknown): boolean {
  if (!(error instanceof ApiError)) return false
  return error.status === 429 || ['password', 'code', 'passkey'].some((name) => name in error.fields)
}
