export { CreateUserSheet } from './create-sheet.tsx'
export { EditUserSheet } from './edit-sheet.tsx'
