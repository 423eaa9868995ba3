import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.spark.sql.AnalysisException;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/**
 * Asks Spark in ANSI mode what the expressions of a file are worth, one a line, and prints questions and answers:
 * question, the type that typeof gives, and the value cast to STRING as JSON text, or NULL, with tabs between. Binary values
 * are asked in hexadecimal. An error is the word "error" in the place of the type, then SQLSTATE and error class.
 * spark_answers.sh runs it.
 */
public class SparkAnswers {
  static final int BATCH = 16;
  static final Pattern CONDITION = Pattern.compile("\\[([A-Z_0-9.]+)\\]"), STATE = Pattern.compile("SQLSTATE: (\\w{5})");
  static final String ROWS = " FROM (VALUES";

  static SparkSession spark;

  public static void main(String[] args) throws Exception {
    spark = SparkSession.builder().master("local[1]").appName("tarn").config("spark.sql.session.timeZone", "UTC")
        .config("spark.sql.ansi.enabled", "true")
        .config("spark.sql.warehouse.dir", System.getProperty("java.io.tmpdir"))
        .config("spark.sql.shuffle.partitions", "1").config("spark.ui.enabled", "false")
        .config("spark.sql.codegen.wholeStage", "false").config("spark.sql.codegen.factoryMode", "NO_CODEGEN")
        .config("spark.sql.adaptive.enabled", "false")
        // Each question of a batch is answered as if it were alone: to Spark those are equal that differ in the sign of a zero.
        .config("spark.sql.execution.reuseSubquery", "false").config("spark.sql.subexpressionElimination.enabled", "false")
        .config("spark.sql.optimizer.excludedRules", "org.apache.spark.sql.catalyst.optimizer.MergeSubplans,org.apache.spark.sql.catalyst.optimizer.MergeScalarSubqueries")
        .getOrCreate();
    spark.sparkContext().setLogLevel("OFF");
    for (int i = 0; i + 1 < args.length; i += 2) {
      List<String> questions = Files.readAllLines(Path.of(args[i]), StandardCharsets.UTF_8);
      try (PrintStream out = new PrintStream(args[i + 1], StandardCharsets.UTF_8)) {
        ask(questions).forEach((question, answer) -> out.print(question + "\t" + answer + "\n"));
      }
    }
    spark.stop();
  }

  /** Answers in the order of the questions: many values by one query, and one by one where some are errors. */
  static Map<String, String> ask(List<String> questions) {
    Map<String, String> answers = new LinkedHashMap<>(), kinds = new LinkedHashMap<>();
    for (String q : questions) {
      answers.put(q, null);
      try {
        String schema = ask("SELECT " + expression(q) + " AS v" + source(q)).schema().catalogString();
        kinds.put(q, schema.substring("struct<v:".length(), schema.length() - 1));
      } catch (Throwable e) {
        answers.put(q, failure(e));
      }
    }
    List<String> sound = new ArrayList<>(kinds.keySet());
    for (int i = 0; i < sound.size(); i += BATCH) {
      List<String> batch = sound.subList(i, Math.min(i + BATCH, sound.size()));
      try {
        answers.putAll(values(kinds, batch));
      } catch (Throwable some) {
        for (String q : batch) {
          try {
            answers.putAll(values(kinds, List.of(q)));
          } catch (Throwable e) {
            answers.put(q, failure(e));
          }
        }
      }
    }
    return answers;
  }

  /** A backslash in a question is one, as in standard SQL. */
  static Dataset<Row> ask(String sql) {
    return spark.sql(sql.replace("\\", "\\\\"));
  }

  static Map<String, String> values(Map<String, String> kinds, List<String> questions) {
    List<String> columns = new ArrayList<>();
    for (String q : questions) {
      String v = source(q).isEmpty() ? "(" + expression(q) + ")" : "v";
      String text = kinds.get(q).equals("binary") ? "lower(hex(" + v + "))" : "CAST(" + v + " AS STRING)";
      columns.add(source(q).isEmpty() ? text : "(SELECT " + text + " FROM (SELECT " + expression(q) + " AS v" + source(q) + "))");
    }
    Row row = ask("SELECT " + String.join(", ", columns)).head();
    Map<String, String> answers = new LinkedHashMap<>();
    for (int i = 0; i < row.size(); i++) {
      answers.put(questions.get(i), kinds.get(questions.get(i)) + "\t" + (row.isNullAt(i) ? "NULL" : json(row.getString(i))));
    }
    return answers;
  }

  static String expression(String question) {
    int i = question.indexOf(ROWS);
    return i < 0 ? question : question.substring(0, i);
  }

  static String source(String question) {
    return question.substring(expression(question).length());
  }

  /** The error's SQLSTATE and class, out of its text: an error inside a job has no other form. */
  static String failure(Throwable e) {
    for (Throwable t = e; t != null; t = t.getCause()) {
      Matcher condition = CONDITION.matcher(String.valueOf(t.getMessage())), state = STATE.matcher(String.valueOf(t.getMessage()));
      if (condition.find() && state.find()) {
        return "error\t" + state.group(1) + " " + condition.group(1);
      }
    }
    if (e instanceof AnalysisException) { // without a class; a parser's exception is one too
      return "error\t42000 " + e.getClass().getSimpleName();
    }
    return "error\t22000 " + e.getClass().getSimpleName(); // the value is at fault, in Spark's or Java's words
  }

  static String json(String s) {
    StringBuilder b = new StringBuilder("\"");
    for (char c : s.toCharArray()) {
      if (c == '"' || c == '\\') {
        b.append('\\').append(c);
      } else if (c < ' ') {
        b.append(String.format("\\u%04x", (int) c));
      } else {
        b.append(c);
      }
    }
    return b.append('"').toString();
  }
}
