// report/src/style.d.ts: the bundler takes style sheets as modules.
declare module "*.css";
