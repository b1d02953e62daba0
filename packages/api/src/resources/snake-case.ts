/** Returns the name of a field as wire and columns spell it: `createdAt` → `created_at`. */
export function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}
