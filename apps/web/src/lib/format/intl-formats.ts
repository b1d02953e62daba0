/** Makes each format of a kind once, because making one takes longer than using it a hundred times, and each row of a table uses one. */
function reused<Options extends object, Format>(make: (language: string, options: Options) => Format) {
  const formats = new Map<string, Format>()
  return (language: string, options: Options): Format => {
    const key = language + JSON.stringify(options)
    const known = formats.get(key)
    if (known !== undefined) return known
    const made = make(language, options)
    formats.set(key, made)
    return made
  }
}

/** Returns how a language writes numbers. */
export const numberFormat = reused(
  (language, options: Intl.NumberFormatOptions) => new Intl.NumberFormat(language, options),
)
/** Returns how a language writes dates. */
export const dateFormat = reused(
  (language, options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat(language, options),
)
/** Returns how a language writes distances in time. */
export const relativeFormat = reused(
  (language, options: Intl.RelativeTimeFormatOptions) => new Intl.RelativeTimeFormat(language, options),
)
