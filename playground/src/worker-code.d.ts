/** The bundled worker, as a string; the build puts it in. */
declare module "worker-code" {
  const code: string;
  export default code;
}
