/** Events: list and page of one event. */
export const events = {
  about: 'Everything that happened, as webhooks receive it. New events appear by themselves.',
  none: 'No events yet.',
  live: 'Live',
  event: 'Event',
  object: 'Object',
  object_about: 'As it was when the event happened.',
  time: 'Time',
} as const
