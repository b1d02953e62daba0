// What the routes of both sheets load.
export { CreateRedemptionSheet } from './create-sheet.tsx'
export { EditRedemptionSheet } from './edit-sheet.tsx'
