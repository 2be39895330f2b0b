/** The words for codes of the interface: states, reasons, kinds. */
export const words = {
  state: {
    successful: 'Successful',
    failed: 'Failed',
    pending: 'Pending',
    cancelled: 'Cancelled',
    expired: 'Expired',
    active: 'Active',
  },
} as const
