/** `generation_config` → `generationConfig`. */
export function camelCase(name: string): string {
  return name.includes('_')
    ? name.replace(/(?<=[a-z0-9])_([a-z])/g, (_, letter: string) => letter.toUpperCase())
    : name
}
