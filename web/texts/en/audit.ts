/** The audit log. Its actions and details are records, which stay in English. */
export const audit = {
  about:
    'Actions of users in the console, changes with API keys, and actions of operators on the command line. Entries cannot be changed.',
  empty: 'No entries yet.',
  action: 'Action',
  action_example: 'sign in',
  time: 'Time',
  actor: 'User',
  object: 'Object',
  details: 'Details',
  address: 'IP address',
  key: 'API key {{name}} ({{user}})',
} as const
