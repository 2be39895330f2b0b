import type { Catalogue } from '../catalogue.ts'

export const events: Catalogue['events'] = {
  about: 'Tout ce qui s’est passé, comme les webhooks le reçoivent. Les nouveaux événements s’affichent tout seuls.',
  none: 'Aucun événement pour l’instant.',
  live: 'En direct',
  event: 'Événement',
  object: 'Objet',
  object_about: 'Tel qu’il était au moment de l’événement.',
  time: 'Date',
  types: {
    collectionrequest_status_changed: 'Changement de statut d’une demande',
    collection_received: 'Encaissement reçu',
    collection_reversed: 'Encaissement annulé par le réseau',
    payment_status_changed: 'Changement de statut d’un paiement',
    contact_created: 'Contact créé',
    contact_credit_changed: 'Avoir d’un client modifié',
    billpayment_status_changed: 'Changement de statut d’un achat',
    invoice_issued: 'Facture émise',
    invoice_paid: 'Facture payée',
    invoice_partly_paid: 'Facture payée en partie',
    invoice_reopened: 'Facture rouverte',
    invoice_voided: 'Facture annulée',
  },
}
