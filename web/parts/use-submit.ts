import type { UseFormReturnType } from '@mantine/form'
import { useMutation } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { ApiError, newDuplicateKey } from '../api.ts'

/**
 * Send a form. The service's messages for fields are shown at the fields; other errors are returned as `error`, for a
 * `<Problem>` above the button.
 * @param send its `key` is for `api.postOnce`: the same one until the form was sent with success, then another
 * @param done `unchanged` is false if the person has changed the form meanwhile
 */
export function useSubmit<Values extends Record<string, unknown>, Answer>(
  form: UseFormReturnType<Values>,
  send: (values: Values, key: string) => Promise<Answer>,
  done: (answer: Answer, unchanged: boolean) => void,
) {
  const key = useRef('')
  const mutation = useMutation({
    mutationFn: (values: Values) => {
      key.current ||= newDuplicateKey()
      return send(values, key.current)
    },
    onSuccess: (answer, sent) => {
      key.current = ''
      done(answer, JSON.stringify(sent) === JSON.stringify(form.getValues()))
    },
    onError: (error) => {
      if (!(error instanceof ApiError)) return
      const messagesOfFields = Object.entries(error.fields).filter(([name]) => name in form.values)
      form.setErrors(Object.fromEntries(messagesOfFields.map(([name, messages]) => [name, messages.join(' ')])))
    },
  })
  return {
    onSubmit: form.onSubmit((values) => mutation.mutate(values)),
    pending: mutation.isPending,
    error: mutation.error && !isShownAtFields(mutation.error, form.values) ? mutation.error : null,
  }
}

/** Return true if the form has a field for every message. */
function isShownAtFields(error: unknown, values: Record<string, unknown>): boolean {
  if (!(error instanceof ApiError)) return false
  const names = Object.keys(error.fields)
  return names.length > 0 && names.every((name) => name in values)
}

/** Return a function that opens the page of a result. It does nothing when the person has left this page before the answer came. */
export function useGoOn(): (to: string) => void {
  const router = useRouter()
  const is_here = useRef(false)
  useEffect(() => {
    is_here.current = true
    return () => {
      is_here.current = false
    }
  }, [])
  return (to) => {
    // A page stays until the one that was chosen after it is loaded.
    if (is_here.current && router.state.status === 'idle') router.navigate({ to })
  }
}
