const compressible = /\.(?:html|js|mjs|css|json|svg|txt|webmanifest|map|xml)$/
/** A file below it does not get smaller by a tenth of a kilobyte. */
const minBytes = 256

/** Decides by name and size whether a file of the console is sent compressed: the build compresses it then, and the server looks for that. */
export function isWorthCompressing(name: string, bytes: number): boolean {
  return compressible.test(name) && bytes >= minBytes
}
