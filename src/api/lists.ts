export * from '../http/lists.ts'
