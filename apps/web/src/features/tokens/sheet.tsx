// What the routes of both sheets load.
export { CreateTokenSheet } from './create-sheet.tsx'
export { EditTokenSheet } from './edit-sheet.tsx'
